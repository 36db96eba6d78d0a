/**
 * Power cuts: the data folder lies on an ext4 file system in a loop device, which is shut down without writing anything
 * back, as a pulled plug would. Needs root, loop devices and python3 (for one ioctl).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { OLD_PARTS_SECONDS } from '../../packages/server/src/logstore/schema/schema.ts'
import { checkout, temporaryFolder } from '../support/service/processes.ts'
import { NO_HARM, Trial } from '../support/service/trial.ts'
import { report, times } from './report.ts'

const CUTS = times(10)
const DISK = '6G'
/** The engine looks for parts to remove this often, at the latest. */
const CLEANED_AFTER_MS = 40_000

/** The engine child ends with its parent, but not in the same moment. */
async function unmount(folder: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      execFileSync('umount', [folder], { stdio: 'ignore' })
      return
    } catch (error) {
      if (tries === 100) throw error
      await sleep(100)
    }
  }
}

it('power cuts lose, double and split nothing', async (context) => {
  if (process.getuid?.() !== 0 || !existsSync('/dev/loop-control')) context.skip('needs root and loop devices')
  const folder = temporaryFolder()
  const image = join(folder, 'disk')
  const mounted = join(folder, 'mounted')
  mkdirSync(mounted)
  execFileSync('truncate', ['-s', DISK, image])
  execFileSync('mkfs.ext4', ['-q', '-F', image])
  const mount = () => execFileSync('mount', ['-o', 'loop', image, mounted])
  mount()
  try {
    const trial = await Trial.begin({ dataDir: join(mounted, 'data'), connections: 4 })
    for (let cut = 0; cut < CUTS; cut++) {
      // Every other run is long enough for parts that a merge replaced to be gone before the cut.
      await sleep(cut % 2 === 0 ? 2_000 + Math.random() * 3_000 : OLD_PARTS_SECONDS * 1_000 + CLEANED_AFTER_MS)
      execFileSync('python3', [join(checkout, 'e2e/faults/cut-power.py'), mounted])
      await trial.service.stop('SIGKILL')
      await unmount(mounted)
      mount()
      await trial.restart()
    }
    const verdict = await trial.verdict()
    report({ fault: 'power cut', times: CUTS, ...verdict })
    expect(verdict).toMatchObject(NO_HARM)
    expect(verdict.stored).toBe(verdict.acknowledged)
    await trial.service.stop()
  } finally {
    execFileSync('umount', ['-l', mounted])
  }
})
