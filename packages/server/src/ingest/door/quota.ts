/**
 * The monthly quota of a project. What is stored is counted exactly, in the control store, when a segment is loaded; at
 * the door, that count, read at most every few seconds, plus what this node has accepted since, decides.
 */
import { counted } from '@tidemark/wire/text/counted'
import { monthOf, type Usage } from '../../control/projects/usage.ts'
import { AppError } from '../../errors.ts'

const READ_EVERY_MS = 5_000
export const MAX_RETRY_AFTER_SECONDS = 3_600

type Count = { month: string; stored: number; readMs: number; takenSince: number }

export class Quota {
  readonly #usage: Pick<Usage, 'get'>
  readonly #counts = new Map<string, Count>()

  constructor(usage: Pick<Usage, 'get'>) {
    this.#usage = usage
  }

  /** Throws 429 when the month's records are used up. Projects without a quota cost nothing. */
  async check(project: { id: string; monthlyQuotaRecords: number | null }, nowMs: number): Promise<void> {
    if (project.monthlyQuotaRecords === null) return
    const count = await this.#count(project.id, nowMs)
    if (count.stored + count.takenSince < project.monthlyQuotaRecords) return
    throw new AppError(
      'quota_exceeded',
      `The quota of ${counted(project.monthlyQuotaRecords, 'record')} for this month is used up. Deploys are still recorded. Raise the quota in Settings, or wait for the next month.`,
      { retryAfterSeconds: Math.min(MAX_RETRY_AFTER_SECONDS, secondsToNextMonth(nowMs)) },
    )
  }

  took(project: { id: string; monthlyQuotaRecords: number | null }, records: number): void {
    const count = project.monthlyQuotaRecords === null ? undefined : this.#counts.get(project.id)
    if (count) count.takenSince += records
  }

  async #count(projectId: string, nowMs: number): Promise<Count> {
    const known = this.#counts.get(projectId)
    const month = monthOf(nowMs)
    if (known?.month === month && nowMs - known.readMs < READ_EVERY_MS) return known
    const { records } = await this.#usage.get(projectId, month)
    // What was taken since the last reading may not be loaded yet: keep it until the stored count has caught up.
    const takenSince = known?.month === month ? Math.max(0, known.takenSince - (records - known.stored)) : 0
    const count = { month, stored: records, readMs: nowMs, takenSince }
    this.#counts.set(projectId, count)
    return count
  }
}

function secondsToNextMonth(nowMs: number): number {
  const now = new Date(nowMs)
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - nowMs) / 1_000)
}
