/**
 * How fast the machine is at this moment. One that is shared may run at half its speed for hours: absolute figures of two
 * runs compare only where this one is alike in both.
 */
import { type BenchResult, figure } from './result.ts'

const STEPS = 100_000_000
const TRIES = 5

export function machine(): BenchResult[] {
  const seconds = Array.from({ length: TRIES }, () => {
    const startedAt = performance.now()
    const sum = addUp(STEPS)
    // What nobody reads is not computed.
    if (sum !== EXPECTED) throw new Error(`this machine cannot add: ${sum}`)
    return (performance.now() - startedAt) / 1_000
  })
  return [figure('a step of the simplest loop', (Math.min(...seconds) / STEPS) * 1e9, 'ns')]
}

function addUp(steps: number): number {
  let sum = 0
  for (let step = 0; step < steps; step++) sum = (sum + step) | 0
  return sum
}

const EXPECTED = Number(BigInt.asIntN(32, (BigInt(STEPS) * BigInt(STEPS - 1)) / 2n))
