import type { LogsSearch, ProjectSearch } from '@tidemark/wire/dashboard/search'
import { DAY_MS } from '@tidemark/wire/time/units'

type Released = { environment: string; deployedAt: string }

/**
 * The logs from a deploy on, which are then its first row, with how much was logged before drawn behind. All of them
 * while it is young; of an old one the first day, because what came weeks later hides what it did.
 */
export function logsSince(
  { environment, deployedAt }: Released,
  nowMs: number,
): { words: string; search: LogsSearch & ProjectSearch } {
  const dayLaterMs = Date.parse(deployedAt) + DAY_MS
  const isYoung = dayLaterMs >= nowMs
  return {
    words: isYoung ? 'Logs since this deploy' : 'Logs after this deploy',
    search: {
      environment,
      from: new Date(deployedAt).toISOString(),
      to: isYoung ? undefined : new Date(dayLaterMs).toISOString(),
      order: 'oldest',
      before: 'on',
    },
  }
}
