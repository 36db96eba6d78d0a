/**
 * The clockwork. Each job runs on one node at a time: the one that holds its lease, a row in the control store that
 * expires by itself, so a node that dies is replaced.
 */
import { MINUTE_MS } from '@tidemark/wire/time/units'
import type { Control } from '../control/open.ts'
import type { Log } from '../log.ts'
import { pause } from '../pause.ts'

export type Job = { name: string; everyMs: number; run: () => Promise<void> }

type Parts = { jobs: readonly Job[]; node: string; control: Pick<Control, 'settings'>; log: Log; now?: () => number }
type Lease = { node: string; untilMs: number; doneMs: number }

/** A job that takes longer loses its lease, and another node may start it: jobs are written so that this does no harm. */
const LEASE_MS = 10 * MINUTE_MS
const LOOK_EVERY_MS = 15_000

export function startSchedule({ jobs, node, control, log, now = Date.now }: Parts): { stop(): Promise<void> } {
  const stopping = new AbortController()

  async function runIfDue({ name, everyMs, run }: Job): Promise<void> {
    const setting = `job:${name}`
    const before = await control.settings.get(setting)
    const lease = before === null ? null : (JSON.parse(before) as Lease)
    const nowMs = now()
    if (lease && (lease.untilMs > nowMs || lease.doneMs + everyMs > nowMs)) return
    const mine = JSON.stringify({ node, untilMs: nowMs + LEASE_MS, doneMs: lease?.doneMs ?? 0 } satisfies Lease)
    if (!(await control.settings.compareAndSet(setting, before, mine, nowMs))) return
    await run()
    const done = JSON.stringify({ node, untilMs: 0, doneMs: now() } satisfies Lease)
    await control.settings.compareAndSet(setting, mine, done, now())
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const job of jobs) {
        if (stopping.signal.aborted) return
        await runIfDue(job).catch((error) =>
          log.warn({ err: error, job: job.name }, 'a job failed; it is tried again later'),
        )
      }
      await pause(LOOK_EVERY_MS, stopping.signal)
    }
  }

  const running = loop()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
