/** Rows of counted errors for the worker, and what happens to too many kinds of them. */
import { OVERFLOW_GROUP } from '../../model/grouping-rule.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ErrorCount } from '../log-store.ts'
import { logId, sequenceFromBigInt } from '../schema/log-id.ts'
import { hashDigits } from './stored-record.ts'

/** Kinds of errors of one environment in one segment. The rarer ones are counted together as the overflow. */
export const MAX_KINDS = 2_000
/** Counts of one segment. Beyond it even the environments are counted together, under one that no record can have. */
const MAX_COUNTS = 20_000
export type ErrorRow = [
  segment: string,
  project: string,
  environment: string,
  fingerprint: string,
  value: string,
  day: number,
  part: number,
  errors: string,
  first: string,
  firstSequence: string,
  last: string,
]

/** Takes rows largest first, and folds those beyond a bound into the overflow. */
export class BoundedCounts {
  readonly #maxKinds: number
  readonly #maxCounts: number
  readonly #counts: ErrorCount[] = []
  readonly #overflows = new Map<string, ErrorCount>()
  /** How many a segment, and a place in it, has. */
  readonly #taken = new Map<string, number>()

  constructor({ maxKinds = MAX_KINDS, maxCounts = MAX_COUNTS } = {}) {
    this.#maxKinds = maxKinds
    this.#maxCounts = maxCounts
  }

  add([segment, project, environment, fingerprint, value, day, part, errors, first, sequence, last]: ErrorRow): void {
    const firstUs = Number(first)
    const count: ErrorCount = {
      segmentId: segment,
      projectId: project as ProjectId,
      environment,
      fingerprint: hashDigits(fingerprint),
      splitValue: value,
      count: Number(errors),
      firstUs,
      firstLogId: logId({ timeUs: firstUs, sequence: sequenceFromBigInt(BigInt(sequence)) }),
      lastUs: Number(last),
    }
    if (!this.#take(segment, this.#maxCounts)) this.#overflow({ ...count, environment: '' }, day, part)
    else if (!this.#take(JSON.stringify([segment, project, environment]), this.#maxKinds))
      this.#overflow(count, day, part)
    else this.#counts.push(count)
  }

  all(): ErrorCount[] {
    return [...this.#counts, ...this.#overflows.values()]
  }

  #take(key: string, most: number): boolean {
    const taken = this.#taken.get(key) ?? 0
    if (taken >= most) return false
    this.#taken.set(key, taken + 1)
    return true
  }

  #overflow(count: ErrorCount, day: number, part: number): void {
    const key = JSON.stringify([count.segmentId, count.projectId, count.environment, day, part])
    const so = this.#overflows.get(key)
    if (so === undefined) {
      this.#overflows.set(key, { ...count, ...OVERFLOW_GROUP })
      return
    }
    so.count += count.count
    so.lastUs = Math.max(so.lastUs, count.lastUs)
    if (count.firstUs < so.firstUs) Object.assign(so, { firstUs: count.firstUs, firstLogId: count.firstLogId })
  }
}
