/** Times two ways to the same answer, in turns. */

import { type BenchResult, figure, percentile } from './result.ts'

export type Times = { p50: number; p95: number; first: number }

/** One of theirs, one of ours, and so on: a noisy machine hurts both alike. The first of each is the cold one. */
export async function sideBySide(
  rounds: number,
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
): Promise<{ ours: Times; theirs: Times }> {
  const times = { ours: [] as number[], theirs: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.theirs.push(...(await timed(1, theirs)))
    times.ours.push(...(await timed(1, ours)))
  }
  return { ours: summary(times.ours), theirs: summary(times.theirs) }
}

export async function timed(rounds: number, ask: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    await ask()
    times.push(performance.now() - startedAt)
  }
  return times
}

/** The first of each is the cold one and is kept apart. */
export function summary([first = 0, ...rest]: number[]): Times {
  const warm = rest.length > 0 ? rest : [first]
  return { first, p50: percentile(warm, 0.5), p95: percentile(warm, 0.95) }
}

/** Both as figures, and how many times as long ours took. */
export function comparison(
  name: string,
  { ours, theirs }: { ours: Times; theirs: Times },
  against: string,
  bar: number | null,
): BenchResult[] {
  return [
    ...figures(name, '', ours),
    ...figures(name, 'bare ', theirs),
    figure(`${name}: p95 against ${against}`, ours.p95 / theirs.p95, 'ratio', bar),
  ]
}

function figures(name: string, whose: string, times: Times): BenchResult[] {
  return [
    figure(`${name}: ${whose}p50`, times.p50, 'ms'),
    figure(`${name}: ${whose}p95`, times.p95, 'ms'),
    figure(`${name}: ${whose}first`, times.first, 'ms'),
  ]
}
