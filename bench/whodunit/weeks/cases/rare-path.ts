import { HOUR_MS, MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import { failuresAt, servedAt } from '../records/failing.ts'
import { breakCode, guilty } from './broken-code.ts'
import type { Teller } from './case.ts'

const PERIODS_MS = [24 * HOUR_MS, 24 * HOUR_MS, 12 * HOUR_MS] as const
const ATTEMPTS_AFTER_MS = [0, 65_000, 190_000]

/** The broken code runs once or twice a day: its first run after the deploy fails, hours later. It always went well before. */
export const rarePath: Teller = (story, nth) => {
  const { random } = story
  const of = story.take(({ job }) => (nth % 2 === 0) === (job !== null))
  const broken = breakCode(story, of, nth === 3 ? 'caller' : 'line')
  const atMs = story.at(0.08)
  const runMs = story.at(0.45 + random.next() * 0.3)
  const near = random.chance(0.3) ? of : undefined
  const { deploy, guilty: commit } = story.ship({ atMs, innocent: random.between(2, 6), guilty: broken.change, near })
  if (random.chance(0.6)) story.ship({ atMs: atMs + (0.3 + random.next() * 0.5) * (runMs - atMs) })
  const fixedMs = runMs + random.between(20, 150) * MINUTE_MS
  story.later(broken.mend)
  story.ship({ atMs: fixedMs, innocent: random.between(0, 2) })
  const periodMs = random.pick(PERIODS_MS)
  return [
    {
      kind: 'rare-path',
      title: `${of.name} fails when it next runs`,
      of,
      environment: 'production',
      cause: guilty(deploy, commit, broken, `The deploy broke ${of.name}, which first ran hours later.`),
      records: (scene, dice) => {
        const runs = [...runsBefore(runMs, scene.openedMs, periodMs), ...runsAfter(runMs, scene.nowMs, periodMs)]
        const fine = runs.map((timeMs) => timeMs + dice.below(90_000))
        const failed = ATTEMPTS_AFTER_MS.map((afterMs) => runMs + afterMs)
        return [
          ...servedAt(scene, dice, fine, { of, environment: 'production' }),
          ...failuresAt(scene, dice, failed, { ...broken.failure, environment: 'production' }),
        ]
      },
    },
  ]
}

function runsBefore(runMs: number, openedMs: number, periodMs: number): number[] {
  const runs: number[] = []
  for (let timeMs = runMs - periodMs; timeMs > openedMs; timeMs -= periodMs) runs.push(timeMs)
  return runs
}

function runsAfter(runMs: number, nowMs: number, periodMs: number): number[] {
  const runs: number[] = []
  for (let timeMs = runMs + periodMs; timeMs < nowMs; timeMs += periodMs) runs.push(timeMs)
  return runs
}
