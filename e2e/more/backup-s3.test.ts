/** Backups in a bucket, against a server that checks every signature; `npm run test:s3` runs them against a real one. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reachBucket, realBucket } from '../../packages/server/src/backup/s3/testing/reach-bucket.ts'
import type { S3Server, Trouble } from '../../packages/server/src/backup/s3/testing/s3-server.ts'
import { lockFolder } from '../../packages/server/src/folder/data-folder.ts'
import { missingEngine, STORE_TIMEOUT_MS } from '../../packages/server/src/logstore/testing/test-store.ts'
import { type BackupTrial, backUpUnderLoad, expectWhole, succeeding } from '../support/service/backup-trial.ts'
import { createProject, type TestProject } from '../support/service/ingest-project.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { launchTidemark, type Service, startService, tidemark } from '../support/service/service.ts'
import { settled } from '../support/service/settled.ts'

describe.skipIf(missingEngine !== undefined)('a backup in a bucket', () => {
  const prefix = `e2e-${randomUUID()}/logs`
  let reached: Awaited<ReturnType<typeof reachBucket>>
  let place = ''
  let service: Service
  let project: TestProject
  let trial: BackupTrial

  beforeAll(async () => {
    reached = await reachBucket()
    place = `s3://${reached.bucket}/${prefix}`
    service = await startService()
    project = await createProject(service, 'backup')
  }, STORE_TIMEOUT_MS)
  afterAll(async () => {
    await reached?.close()
  })

  const command = (args: string[], dataDir = service.dataDir) => succeeding(args, { dataDir, env: reached.env })
  /** The tests that use it are left out where there is none. */
  const server = () => reached.server as S3Server
  const puts = () => server().requests.flatMap(({ method, key }) => (method === 'PUT' ? [key] : []))

  it('is made while records arrive, and again with only what is new', async () => {
    trial = await backUpUnderLoad(service, project, { place, env: reached.env })
    expect(trial.first.path).toMatch(new RegExp(`^${place}/2\\d{3}-[^/]+Z$`))
    const checked = await command(['restore', trial.first.path, '--check'])
    expect(checked.stdout).toContain(`${trial.first.path} is complete and undamaged`)
  }, 300_000)

  it.skipIf(realBucket)('sends nothing twice, and of unchanged days nothing at all', async () => {
    await settled(service)
    const before = puts().length
    const third = (await command(['backup', place, '--json'])).json()
    expect(third).toMatchObject({ reusedDays: third.days, records: trial.second.records })
    expect(puts().at(-1)).toBe(`${prefix}/${third.path.split('/').at(-1)}/manifest.json`)
    const files = puts().filter((key) => key.includes('/files/'))
    expect(new Set(files).size).toBe(files.length)
    // The control store is read again; most of its tables are as they were.
    expect(puts().length - before).toBeLessThan(before / 2)
  })

  it('has every record that was acknowledged before its moment, once, when it is restored into an empty folder', async () => {
    const restored = join(temporaryFolder(), 'restored')
    const { stdout } = await command(['restore', trial.first.path], restored)
    expect(stdout).toContain('fetched 100 % of ')
    expect(existsSync(join(restored, 'restore'))).toBe(false)
    await expectWhole(restored, project, trial)
  }, 300_000)

  it.skipIf(realBucket)(
    'is made and restored over a bad connection',
    async () => {
      const troubled = `${place}/troubled`
      let asked = 0
      const failures = new Map<string, number>()
      server().state.trouble = (request) => {
        asked += 1
        const name = JSON.stringify(request)
        const times = failures.get(name) ?? 0
        // No request fails so often that it is given up.
        const trouble = times < 2 ? troubleOf(asked) : undefined
        if (trouble !== undefined) failures.set(name, times + 1)
        return trouble
      }
      const made = (await command(['backup', troubled, '--json'])).json()
      const restored = join(temporaryFolder(), 'restored')
      await command(['restore', troubled], restored)
      server().state.trouble = () => undefined
      expect(made.records).toBe(trial.second.records)
      expect(failures.size).toBeGreaterThan(5)
      await expectWhole(restored, project, trial)
    },
    300_000,
  )

  it.skipIf(realBucket)(
    'that is killed in the middle is none, and the next one goes on where it was',
    async () => {
      const killed = `${place}/killed`
      const mine = () => [...server().objects.keys()].filter((key) => key.startsWith(`${prefix}/killed/`))
      let kill = () => {}
      // The fifth is never answered: by then the process is gone.
      server().state.trouble = ({ method }) => {
        if (method !== 'PUT' || mine().length < 4) return undefined
        kill()
        return 'cut'
      }
      const child = await launchTidemark(['backup', killed], { dataDir: service.dataDir, env: reached.env })
      kill = () => process.kill(child.pid, 'SIGKILL')
      expect((await child.exited).signal).toBe('SIGKILL')
      server().state.trouble = () => undefined
      const left = mine()
      expect(left).toHaveLength(4)
      expect(readdirSync(service.dataDir).filter((name) => name.startsWith('.staged'))).toEqual([])

      const target = join(temporaryFolder(), 'target')
      const refused = await tidemark(['restore', killed], { dataDir: target, env: reached.env })
      expect(refused.stderr).toContain(`There is no complete backup in ${killed}.`)
      expect(existsSync(target)).toBe(false)
      const before = puts().length
      await command(['backup', killed])
      expect(
        puts()
          .slice(before)
          .filter((key) => left.includes(key)),
      ).toEqual([])
      expect((await command(['restore', killed, '--check'])).stdout).toContain('is complete and undamaged')
    },
    300_000,
  )

  it.skipIf(realBucket)(
    'whose restore is killed while it is fetched leaves a folder that says so',
    async () => {
      const target = join(temporaryFolder(), 'target')
      let kill = () => {}
      server().state.trouble = ({ method, key }) => {
        if (method !== 'GET' || !key.startsWith(`${prefix}/files/`)) return undefined
        kill()
        return 'cut'
      }
      const child = await launchTidemark(['restore', place], { dataDir: target, env: reached.env })
      kill = () => process.kill(child.pid, 'SIGKILL')
      expect((await child.exited).signal).toBe('SIGKILL')
      server().state.trouble = () => undefined
      const { stderr } = await tidemark(['restore', place], { dataDir: target, env: reached.env })
      expect(stderr).toContain(`A restore into the data folder ${target} has not finished.`)
    },
    300_000,
  )

  it('is deleted when enough newer ones are kept, and those are whole', async () => {
    const kept = (await command(['backup', place, '--keep', '1', '--json'])).json()
    expect(kept.removed).toContain(trial.first.path.split('/').at(-1))
    const gone = await tidemark(['restore', trial.first.path, '--check'], { env: reached.env })
    expect(gone.stderr).toContain(`There is no backup in ${trial.first.path}: it has no manifest.json.`)
    expect((await command(['restore', place, '--check'])).stdout).toContain(`${kept.path} is complete and undamaged`)
  })

  it.skipIf(realBucket)('that is damaged, or larger than the disk, is refused, and nothing is written', async () => {
    const target = join(temporaryFolder(), 'target')
    const restoring = async () => (await tidemark(['restore', place], { dataDir: target, env: reached.env })).stderr
    const [manifestKey = ''] = [...server().objects.keys()].filter((key) => key.startsWith(`${prefix}/2`))
    const manifest = server().objects.get(manifestKey)!
    const whole = manifest.bytes
    manifest.bytes = Buffer.from(whole.toString().replace(/"bytes": \d+/, `"bytes": ${10 ** 15}`))
    expect(await restoring()).toMatch(
      /There is not enough room in \S+target: the backup needs at least [\d,]{11} MiB, and /,
    )
    manifest.bytes = whole

    const [{ sha256 }] = JSON.parse(whole.toString()).days[0].files
    const object = server().objects.get(`${prefix}/files/${sha256}`)!
    object.bytes = Buffer.concat([object.bytes.subarray(1), Buffer.from('x')])
    expect(await restoring()).toContain(`The backup is damaged: ${place}/files/${sha256} is not what was written.`)
    expect(existsSync(target)).toBe(false)
  })

  it('is made by one command at a time', async () => {
    const lock = lockFolder(service.dataDir, 'backup.lock', () => 'held by another')
    const { code, stderr } = await tidemark(['backup', place], { dataDir: service.dataDir, env: reached.env })
    lock.close()
    expect(code).toBe(1)
    expect(stderr).toContain('Another backup is under way')
  })

  it('is refused in words where the bucket cannot be used', async () => {
    const refused = async (changed: Record<string, string>, address = place) => {
      const { code, stdout, stderr } = await tidemark(['backup', address], {
        dataDir: service.dataDir,
        env: { ...reached.env, ...changed },
      })
      expect(code).toBe(1)
      expect(stdout + stderr).not.toContain(reached.env.AWS_SECRET_ACCESS_KEY)
      return stderr
    }
    expect(await refused({ AWS_ACCESS_KEY_ID: '' })).toContain(
      'A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    )
    expect(await refused({ AWS_SECRET_ACCESS_KEY: 'wrong' })).toContain('Check AWS_SECRET_ACCESS_KEY')
    expect(await refused({ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' })).toContain(
      '127.0.0.1:1 cannot be reached (ECONNREFUSED).',
    )
    expect(await refused({}, 's3://no-such-bucket/x')).toContain('There is no bucket no-such-bucket at ')
    expect(await refused({}, 's3://a//b')).toContain('A bucket is named like s3://bucket/prefix')
  })
})

/** Of every few requests one. */
function troubleOf(number: number): Trouble | undefined {
  if (number % 11 === 0) return 503
  if (number % 13 === 0) return 'cut'
  return number % 17 === 0 ? 'cut in the middle' : undefined
}
