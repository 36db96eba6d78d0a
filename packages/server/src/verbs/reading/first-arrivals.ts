import type { FirstArrivalsAnswer } from '@tidemark/wire/project'
import { monthOf } from '../../control/projects/usage.ts'
import type { LogStore } from '../../logstore/log-store.ts'
import type { Caller } from '../../model/caller.ts'
import { type ControlParts, requireReader } from '../access.ts'

/** Whether the caller's project has had its first record, deploy and call with a read key. Says nothing about the keys. */
export async function firstArrivals(
  { control, logStore, now }: ControlParts & { logStore: Pick<LogStore, 'project'> },
  caller: Caller,
  signal?: AbortSignal,
): Promise<FirstArrivalsAnswer> {
  const { id } = requireReader(caller)
  const [usage, [deploy], keys] = await Promise.all([
    control.usage.get(id, monthOf(now())),
    control.deploys.list(id, { limit: 1 }),
    control.keys.list(id),
  ])
  return {
    // The count of the month answers without the log store, which may still be starting.
    record: usage.records > 0 || (await logStore.project(id).lastTimeUs(signal)) !== null,
    deploy: deploy !== undefined,
    mcp: keys.some(({ kind, lastUsedAt }) => kind === 'read' && lastUsedAt !== null),
  }
}
