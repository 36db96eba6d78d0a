import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Control, openControl } from '../control/open.ts'
import { AppError } from '../errors.ts'
import { startSchedule } from './schedule.ts'

const log = pino({ level: 'silent' })

let dataDir: string
let control: Control
let nowMs = 0
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'schedule-'))
  control = await openControl({ databaseUrl: undefined, dataDir })
  nowMs = Date.UTC(2026, 0, 1)
})
afterEach(async () => {
  await control.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** One look of a node at its jobs: it starts, looks at once, and is stopped. */
async function look(node: string, run: () => Promise<void>, job = { name: 'tidy', everyMs: HOUR_MS }): Promise<void> {
  const schedule = startSchedule({
    jobs: [{ ...job, run }],
    node,
    control,
    log,
    now: () => nowMs,
  })
  await schedule.stop()
}

describe('the schedule', () => {
  it('runs a job once per interval, whichever node looks first', async () => {
    const runs: string[] = []
    const job = (node: string) => async () => void runs.push(node)
    await look('a', job('a'))
    await look('b', job('b'))
    nowMs += HOUR_MS + 1
    await look('b', job('b'))
    expect(runs).toEqual(['a', 'b'])
  })

  it('does not run a job that another node is running', async () => {
    let isOtherRunning = false
    let isOtherDone = false
    let finish = () => {}
    const other = startSchedule({
      jobs: [
        {
          name: 'tidy',
          everyMs: HOUR_MS,
          run: async () => {
            isOtherRunning = true
            await new Promise<void>((resolve) => {
              finish = resolve
            })
            isOtherDone = true
          },
        },
      ],
      node: 'a',
      control,
      log,
      now: () => nowMs,
    })
    await expect.poll(() => isOtherRunning).toBe(true)
    let ran = false
    await look('b', async () => {
      ran = true
    })
    expect(ran).toBe(false)
    finish()
    await other.stop()
    expect(isOtherDone).toBe(true)
  })

  it('takes over the job of a node that died, after its lease', async () => {
    await control.settings.compareAndSet(
      'job:tidy',
      null,
      JSON.stringify({ node: 'dead', untilMs: nowMs + 1_000, doneMs: 0 }),
      nowMs,
    )
    const runs: number[] = []
    await look('b', async () => void runs.push(nowMs))
    nowMs += 1_001
    await look('b', async () => void runs.push(nowMs))
    expect(runs).toEqual([nowMs])
  })

  it('runs a job that failed again after its interval, on any node, however short or long that is', async () => {
    for (const everyMs of [MINUTE_MS, HOUR_MS]) {
      const job = { name: `every ${everyMs}`, everyMs }
      await look('a', () => Promise.reject(new Error('no')), job)
      const runs: number[] = []
      const run = async () => void runs.push(nowMs)
      nowMs += everyMs - 1
      await look('b', run, job)
      expect(runs).toEqual([])
      nowMs += 1
      await look('b', run, job)
      expect(runs).toEqual([nowMs])
    }
  })

  it('gives back the lease of a job also when the control store was away as it ended', async () => {
    let isAway = false
    const compareAndSet: typeof control.settings.compareAndSet = async (...change) => {
      if (isAway) {
        isAway = false
        throw new AppError('unavailable', 'away')
      }
      return await control.settings.compareAndSet(...change)
    }
    const schedule = startSchedule({
      jobs: [
        {
          name: 'tidy',
          everyMs: HOUR_MS,
          run: async () => {
            isAway = true
            throw new AppError('unavailable', 'away')
          },
        },
      ],
      node: 'a',
      control: { settings: { ...control.settings, compareAndSet } },
      log,
      now: () => nowMs,
      lookEveryMs: 1,
    })
    const lease = async () => JSON.parse((await control.settings.get('job:tidy')) ?? '{}')
    await expect.poll(lease).toEqual({ node: 'a', untilMs: 0, doneMs: nowMs })
    await schedule.stop()
  })
  it('tells a job that is running to end at a stop, and gives its lease back', async () => {
    let isRunning = false
    const run = (stopping: AbortSignal) => {
      isRunning = true
      return new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()))
    }
    const jobs = [{ name: 'tidy', everyMs: HOUR_MS, run }]
    const schedule = startSchedule({ jobs, node: 'a', control, log, now: () => nowMs })
    await expect.poll(() => isRunning).toBe(true)
    await schedule.stop()
    expect(JSON.parse((await control.settings.get('job:tidy')) ?? '')).toEqual({ node: 'a', untilMs: 0, doneMs: nowMs })
  })

  it('leaves a job behind that does not end at a stop', async () => {
    let isRunning = false
    let finish = () => {}
    const run = () => {
      isRunning = true
      return new Promise<void>((resolve) => {
        finish = resolve
      })
    }
    const jobs = [{ name: 'tidy', everyMs: HOUR_MS, run }]
    const schedule = startSchedule({ jobs, node: 'a', control, log, now: () => nowMs, stopMs: 1 })
    await expect.poll(() => isRunning).toBe(true)
    await schedule.stop()
    finish()
    await schedule.stop()
  })
})
