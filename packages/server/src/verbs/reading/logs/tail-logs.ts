/**
 * Records as they become searchable. The store is asked every second which loads it has; those not seen before are new,
 * however late they come, so nothing is missed and nothing is sent twice. The first batch is empty: what a search finds
 * from then on and what the tail sends are together everything. Records whose own time is further back than
 * `MAX_TAIL_LATENESS_MS` when they arrive are history and not part of a tail.
 */
import { MAX_TAIL_LATENESS_MS } from '@tidemark/wire/limits'
import type { FilterInput } from '@tidemark/wire/reading/question'
import type { LogRow } from '@tidemark/wire/reading/row'
import { AppError, isRetryable } from '../../../errors.ts'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import type { Caller } from '../../../model/caller.ts'
import { pause } from '../../../pause.ts'
import { requireReader } from '../../access.ts'
import { logFilter } from '../log-filter.ts'
import type { ReadingParts } from '../reading-parts.ts'
import { toLogRows } from './log-row.ts'

const ASK_EVERY_MS = 1_000
const FORGET_AFTER_ANSWERS = 900
/** In one batch; beyond this the newest are sent and the others counted as dropped. */
const MAX_ROWS = 500
/** More loads than this at once are spread over the following seconds. */
const MAX_LOADS = 1_000

export type TailBatch = { rows: LogRow[]; dropped: number }

export async function* tailLogs(
  parts: ReadingParts,
  caller: Caller,
  input: FilterInput,
  signal: AbortSignal,
): AsyncGenerator<TailBatch> {
  const { logStore, now } = parts
  const wait = parts.pause ?? pause
  const project = requireReader(caller)
  if (input.from !== undefined || input.to !== undefined) {
    throw new AppError('invalid_request', 'A tail begins now and has no end: leave out from and to, or search.')
  }
  const { query: filter } = logFilter(input)
  const logs = logStore.project(project.id)
  const seen = new SeenLoads(logs, now)
  for (const load of (await seen.unseen(signal)).loads) seen.add(load)
  yield { rows: [], dropped: 0 }
  while (!signal.aborted) {
    await wait(ASK_EVERY_MS, signal)
    if (signal.aborted) return
    const batch = await newRecords().catch(giveUpUnlessAway)
    if (batch && (batch.rows.length > 0 || batch.dropped > 0)) yield batch
  }

  async function newRecords(): Promise<TailBatch> {
    const { loads, sinceUs } = await seen.unseen(signal)
    const taken = loads.slice(0, MAX_LOADS)
    const { records, matching } = await logs.ofLoads(taken, { sinceUs, filter, limit: MAX_ROWS, signal })
    const rows = await toLogRows(parts, project.id, records)
    // Only now: had the question failed, they would have to be asked for again.
    for (const load of taken) seen.add(load)
    return { rows, dropped: matching - records.length }
  }

  /** A store that was down for a while comes back with all that was acknowledged meanwhile. */
  function giveUpUnlessAway(error: unknown): undefined {
    if (signal.aborted) return undefined
    if (isRetryable(error)) return undefined
    throw error
  }
}

/**
 * The loads that were already sent. One that is no longer listed is forgotten only after many further answers: in a
 * cluster the next one may come from a server that is behind.
 */
class SeenLoads {
  readonly #logs: Pick<ProjectLogs, 'loadsSince'>
  readonly #now: () => number
  /** With the number of the answer that listed it last. */
  readonly #listed = new Map<string, number>()
  #answers = 0
  #askedMs: number

  constructor(logs: Pick<ProjectLogs, 'loadsSince'>, now: () => number) {
    this.#logs = logs
    this.#now = now
    this.#askedMs = now()
  }

  async unseen(signal: AbortSignal): Promise<{ loads: string[]; sinceUs: number }> {
    // Counted from the last answer: while the store is away, what it will have to catch up on is not forgotten.
    const sinceUs = Math.max(0, this.#askedMs - MAX_TAIL_LATENESS_MS) * 1_000
    const askedMs = this.#now()
    const loads = await this.#logs.loadsSince(sinceUs, signal)
    this.#askedMs = askedMs
    const answer = ++this.#answers
    const unseen: string[] = []
    for (const load of loads) {
      if (this.#listed.has(load)) this.#listed.set(load, answer)
      else unseen.push(load)
    }
    for (const [load, listed] of this.#listed) if (answer - listed > FORGET_AFTER_ANSWERS) this.#listed.delete(load)
    return { loads: unseen, sinceUs }
  }

  add(load: string): void {
    this.#listed.set(load, this.#answers)
  }
}
