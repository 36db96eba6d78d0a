import type { LogsSearch, ProjectSearch } from '@tidemark/wire/dashboard/search'
import { DAY_MS, MINUTE_MS } from '@tidemark/wire/time/units'

type Released = { environment: string; deployedAt: string }

/** So that what it changed is seen beside what was. */
const BEFORE_MS = 5 * MINUTE_MS

/**
 * The logs from minutes before a deploy on, with how much was logged in the time before drawn behind. All of them while it
 * is young; of an old one the first day, because what came weeks later hides what it did.
 */
export function logsSince(
  { environment, deployedAt }: Released,
  nowMs: number,
): { words: string; search: LogsSearch & ProjectSearch } {
  const deployedMs = Date.parse(deployedAt)
  const dayLaterMs = deployedMs + DAY_MS
  return {
    words: 'Logs since this deploy',
    search: {
      environment,
      from: new Date(deployedMs - BEFORE_MS).toISOString(),
      to: dayLaterMs >= nowMs ? undefined : new Date(dayLaterMs).toISOString(),
      order: 'oldest',
      before: 'on',
    },
  }
}
