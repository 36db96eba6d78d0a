import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/service/processes.ts'
import { NO_HARM, Trial } from '../support/service/trial.ts'
import { report, times } from './report.ts'

/** To the last byte: the gate, the short write and the refused insert are all met on the way. */
function fill(folder: string, filler: string): void {
  const { bavail, bsize } = statfsSync(folder)
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize))
  } catch (error) {
    // The service writes at the same time and may take the last block first.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

it('a disk that fills up and empties again: 503 in between, nothing acknowledged is lost', async (context) => {
  if (process.getuid?.() !== 0) context.skip('mounting a small disk needs root')
  const mounted = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', mounted])
  try {
    const trial = await Trial.begin({ dataDir: join(mounted, 'data') })
    const filler = join(mounted, 'filler')
    const rounds = times(3)
    const readiness = async () => {
      const response = await fetch(`${trial.service.url}/readyz`)
      const { checks } = (await response.json()) as { checks: { name: string }[] }
      return [response.status, checks.find(({ name }) => name === 'disk')]
    }
    for (let round = 0; round < rounds; round++) {
      await sleep(2_000)
      fill(mounted, filler)
      await sleep(6_000)
      await expect.poll(readiness).toMatchObject([503, { problem: expect.stringContaining('disk') }])
      expect((await fetch(`${trial.service.url}/healthz`)).status).toBe(200)
      rmSync(filler)
      await expect.poll(readiness).toMatchObject([200, { ok: true }])
    }
    await sleep(3_000)
    const verdict = await trial.verdict()
    report({ fault: 'disk full', times: rounds, ...verdict, note: JSON.stringify(trial.witness.statuses) })
    expect(verdict).toMatchObject(NO_HARM)
    expect(verdict.stored).toBe(verdict.acknowledged)
    expect(Object.keys(trial.witness.statuses).sort()).toEqual(['200', '503'])
    await trial.service.stop()
  } finally {
    execFileSync('umount', ['-l', mounted])
  }
})
