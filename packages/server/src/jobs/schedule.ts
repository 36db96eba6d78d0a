/**
 * The clockwork. Each job runs on one node at a time: the one that holds its lease, a row in the control store that
 * expires by itself, so a node that dies is replaced. However a job ends, its lease is given back, and it is due again
 * after its interval.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '@tidemark/wire/time/units'
import type { Control } from '../control/open.ts'
import type { Log } from '../log.ts'
import { pause } from '../pause.ts'

/** `stopping` ends the run early where the job listens to it. */
export type Job = { name: string; everyMs: number; run: (stopping: AbortSignal) => Promise<void> }

type Parts = {
  jobs: readonly Job[]
  node: string
  control: Pick<Control, 'settings'>
  log: Log
  now?: () => number
  lookEveryMs?: number
  stopMs?: number
}
type Lease = { node: string; untilMs: number; doneMs: number }

/** A job that takes longer loses its lease, and another node may start it: jobs are written so that this does no harm. */
const LEASE_MS = 10 * MINUTE_MS
const LOOK_EVERY_MS = 15_000
/** A job that takes longer at a stop is left behind: it ends with the process, and its lease by itself. */
const STOP_MS = 5_000

export function startSchedule(parts: Parts): { stop(): Promise<void> } {
  const { jobs, node, control, log, now = Date.now, lookEveryMs = LOOK_EVERY_MS, stopMs = STOP_MS } = parts
  const stopping = new AbortController()
  /** Leases of jobs that have ended here: as they are in the control store, and as they shall be. */
  const ended = new Map<string, { held: string; done: string }>()

  async function runIfDue({ name, everyMs, run }: Job): Promise<void> {
    const setting = `job:${name}`
    const before = await control.settings.get(setting)
    const lease = before === null ? null : (JSON.parse(before) as Lease)
    const nowMs = now()
    if (lease && (lease.untilMs > nowMs || lease.doneMs + everyMs > nowMs)) return
    const mine = JSON.stringify({ node, untilMs: nowMs + LEASE_MS, doneMs: lease?.doneMs ?? 0 } satisfies Lease)
    if (!(await control.settings.compareAndSet(setting, before, mine, nowMs))) return
    try {
      await run(stopping.signal)
    } finally {
      ended.set(name, { held: mine, done: JSON.stringify({ node, untilMs: 0, doneMs: now() } satisfies Lease) })
    }
  }

  /** Again at every look until it works: what made a job fail is often the control store being away. */
  async function giveBack({ name }: Job): Promise<void> {
    const lease = ended.get(name)
    if (lease === undefined) return
    await control.settings.compareAndSet(`job:${name}`, lease.held, lease.done, now())
    ended.delete(name)
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const job of jobs) {
        if (stopping.signal.aborted) return
        await runIfDue(job).catch((error) =>
          log.warn({ err: error, job: job.name }, 'a job failed; it is tried again later'),
        )
        await giveBack(job).catch((error) =>
          log.warn({ err: error, job: job.name }, 'the lease of a job was not given back; that is tried again'),
        )
      }
      await pause(lookEveryMs, stopping.signal)
    }
  }

  const running = loop()
  return {
    async stop() {
      stopping.abort()
      await Promise.race([running, sleep(stopMs, undefined, { ref: false })])
    },
  }
}
