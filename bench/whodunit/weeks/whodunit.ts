/**
 * A larger shop with several dozen incidents whose true causes are known: what the service says about them is compared
 * with the answers. Pure: the same seed and the same `nowMs` give the same bytes. Nothing here knows how the service judges.
 */

import type { ShopDeploy } from '../../../packages/demo/src/shop/deploys.ts'
import { Random } from '../../../packages/demo/src/shop/random.ts'
import type { Commit } from '../../../packages/demo/src/shop/repository/repository.ts'
import type { ShopRecord } from '../../../packages/demo/src/shop/shop-record.ts'
import { DAY_MS, HOUR_MS } from '../../../packages/wire/src/time/units.ts'
import { tellAll } from './all-cases.ts'
import type { CaseAnswer } from './answers.ts'
import { caseAnswer } from './case-answer.ts'
import { background } from './records/background.ts'
import { startUps } from './records/start-ups.ts'
import { Running } from './running.ts'
import { Story } from './story.ts'

export type Whodunit = {
  seed: number
  nowMs: number
  /** Parents before their children. */
  commits: readonly Commit[]
  commit(sha: string): Commit
  /** Oldest first. */
  deploys: readonly ShopDeploy[]
  /** Oldest first, none later than `nowMs`. */
  records: readonly ShopRecord[]
  answers: readonly CaseAnswer[]
}

const DAYS = 27

export function makeWhodunit({ seed, nowMs }: { seed: number; nowMs: number }): Whodunit {
  const story = new Story({ seed, nowMs, openedMs: nowMs - DAYS * DAY_MS })
  story.open()
  const cases = tellAll(story)
  const deploys = story.deploys.toSorted((a, b) => a.atMs - b.atMs)
  const running = new Running(story.rollouts)
  const { openedMs, settingChanges, rollouts, surges, history } = story
  const scene = { openedMs, nowMs, running, settingChanges }
  const commit = (sha: string) => history.commit(sha)
  const counts = new Map<string, number>()
  const told = cases.map((one) => {
    const nth = (counts.get(one.kind) ?? 0) + 1
    counts.set(one.kind, nth)
    const name = `${one.kind}-${nth}`
    const records = one.records(scene, new Random(seed, name)).filter((record) => isBetween(record, openedMs, nowMs))
    return { records, answer: caseAnswer(one, { name, records, deploys, nowMs }) }
  })
  const records = [
    ...background(scene, { seed, surges, deploys, commit }),
    ...startUps(scene, new Random(seed, 'start-ups'), rollouts),
    ...told.flatMap((one) => one.records),
  ]
    .filter((record) => isBetween(record, openedMs - HOUR_MS, nowMs))
    .sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0))
  const answers = told.map(({ answer }) => answer)
  return { seed, nowMs, commits: history.commits, commit, deploys, records, answers }
}

function isBetween({ timestamp }: ShopRecord, fromMs: number, toMs: number): boolean {
  const timeMs = Date.parse(timestamp)
  return timeMs >= fromMs && timeMs <= toMs
}
