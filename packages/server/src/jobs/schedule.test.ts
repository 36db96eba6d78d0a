import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS } from '@tidemark/wire/time/units'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Control, openControl } from '../control/open.ts'
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
async function look(node: string, run: () => Promise<void>): Promise<void> {
  const schedule = startSchedule({
    jobs: [{ name: 'tidy', everyMs: HOUR_MS, run }],
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

  it('tries a failed job again after its lease', async () => {
    await look('a', async () => {
      throw new Error('no')
    })
    nowMs += 10 * 60_000 + 1
    let ran = false
    await look('a', async () => {
      ran = true
    })
    expect(ran).toBe(true)
  })
})
