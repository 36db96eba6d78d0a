import type { FirstArrivalsAnswer } from '@tidemark/wire/project'
import { monthOf } from '../../control/projects/usage.ts'
import type { LogStore } from '../../logstore/log-store.ts'
import type { Caller } from '../../model/caller.ts'
import { type ControlParts, requireReader } from '../access.ts'

/**
 * Whether the caller's project has had its first record, deploy and call over MCP. Says nothing about the keys: a read key is also
 * used by programs, which are no agents. Calls are written down a moment after they were made, and forgotten with their age.
 */
export async function firstArrivals(
  { control, logStore, now }: ControlParts & { logStore: Pick<LogStore, 'project'> },
  caller: Caller,
  signal?: AbortSignal,
): Promise<FirstArrivalsAnswer> {
  const { id } = requireReader(caller)
  const [usage, [deploy], [call]] = await Promise.all([
    control.usage.get(id, monthOf(now())),
    control.deploys.list(id, { limit: 1 }),
    control.calls.list(id, { limit: 1 }),
  ])
  return {
    // The count of the month answers without the log store, which may still be starting.
    record: usage.records > 0 || (await logStore.project(id).lastTimeUs(signal)) !== null,
    deploy: deploy !== undefined,
    mcp: call !== undefined,
  }
}
