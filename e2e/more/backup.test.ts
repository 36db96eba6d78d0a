/** A backup of a service that is being written to, restored elsewhere, and moved to other stores and back. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readControl, TABLES } from '../../packages/server/src/control/copy.ts'
import { openEnginePort } from '../../packages/server/src/logstore/testing/engine-port.ts'
import {
  engineSocket,
  missingEngine,
  openTestStore,
  STORE_TIMEOUT_MS,
} from '../../packages/server/src/logstore/testing/test-store.ts'
import { postgresUnavailable, startPostgres } from '../../packages/server/src/testing/postgres.ts'
import { type BackupTrial, backUpUnderLoad, expectWhole, succeeding } from '../support/service/backup-trial.ts'
import { engineRows } from '../support/service/engine-query.ts'
import { createProject, type TestProject } from '../support/service/ingest-project.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { type Service, startService, tidemark } from '../support/service/service.ts'

const ALL_COLUMNS = 'count() AS records, toString(sum(cityHash64(* EXCEPT attributes, toString(attributes)))) AS digest'

describe.skipIf(missingEngine !== undefined)('a backup', () => {
  const backups = join(temporaryFolder(), 'backups')
  const restored = join(temporaryFolder(), 'restored')
  let service: Service
  let project: TestProject
  let trial: BackupTrial

  beforeAll(async () => {
    service = await startService()
    project = await createProject(service, 'backup')
  }, STORE_TIMEOUT_MS)

  it('is made while records arrive, and again with only what is new', async () => {
    trial = await backUpUnderLoad(service, project, { place: backups })
    expect(readdirSync(backups).filter((name) => name.startsWith('2'))).toHaveLength(2)
    expect((await command(['restore', trial.first.path, '--check'])).stdout).toContain('is complete and undamaged')
  }, 300_000)

  it('has every record that was acknowledged before its moment, once, when it is restored into an empty folder', async () => {
    await command(['restore', trial.first.path], restored)
    await expectWhole(restored, project, trial)
  }, 300_000)

  it.skipIf(postgresUnavailable() !== undefined)(
    'moves to PostgreSQL and a ClickHouse server and back, every record and every row alike',
    async () => {
      await service.stop()
      const postgres = await startPostgres()
      onTestFinished(() => postgres.stop())
      const store = await openTestStore({ startMs: 120_000, silenceMs: 60_000 })
      const port = await openEnginePort(engineSocket(store.dataDir))
      onTestFinished(() => store.close().then(port.close))
      const databaseUrl = await postgres.createDatabase()
      const there = environmentFile({
        TIDEMARK_DATA_DIR: join(temporaryFolder(), 'there'),
        TIDEMARK_DATABASE_URL: databaseUrl,
        TIDEMARK_CLICKHOUSE_URL: port.url,
        TIDEMARK_SECRET_KEY: secretOf(service.dataDir),
      })
      const back = environmentFile({
        TIDEMARK_DATA_DIR: join(temporaryFolder(), 'back'),
        TIDEMARK_SECRET_KEY: secretOf(service.dataDir),
      })
      await command(['move', '--to', there.path])
      await command(['move', '--to', back.path], undefined, there.variables)

      const [from, to] = [service.dataDir, back.variables.TIDEMARK_DATA_DIR!]
      expect(await everyRow(to)).toEqual(await everyRow(from))
      const moved = await startService({ dataDir: to, env: { TIDEMARK_SECRET_KEY: secretOf(from) } })
      const here = await startService({ dataDir: from })
      const sum = `SELECT ${ALL_COLUMNS} FROM logs`
      expect(await engineRows(to, sum)).toEqual(await engineRows(from, sum))
      await Promise.all([moved.stop(), here.stop()])
    },
    600_000,
  )

  it('that is damaged or does not fit is refused, and nothing is written', async () => {
    const target = join(temporaryFolder(), 'target')
    const [oldest = '', newest = ''] = readdirSync(backups).filter((name) => name.startsWith('2'))
    const file = join(backups, newest, 'control/projects.ndjson.gz')
    appendFileSync(file, 'x')
    const damaged = await tidemark(['restore', backups], { dataDir: target })
    expect(damaged.stderr).toContain(`The backup is damaged: ${file} is not what was written.`)
    const other = await tidemark(['restore', join(backups, oldest)], {
      dataDir: target,
      env: { TIDEMARK_SECRET_KEY: 'another key that is long enough to be one' },
    })
    expect(other.stderr).toContain('TIDEMARK_SECRET_KEY is not the key of the backup. Set the same one')
    expect(() => readdirSync(target)).toThrow('ENOENT')

    const small = join(backups, oldest, 'manifest.json')
    const manifest = readFileSync(small, 'utf8')
    writeFileSync(small, manifest.replace(/"bytes": \d+/, `"bytes": ${10 ** 15}`))
    const large = await tidemark(['restore', join(backups, oldest)], { dataDir: target })
    writeFileSync(small, manifest)
    expect(large.stderr).toMatch(/There is not enough room in \S+target: the backup needs at least [\d,]{11} MiB, and /)
    expect(() => readdirSync(target)).toThrow('ENOENT')

    mkdirSync(target)
    writeFileSync(join(target, 'something'), '')
    const full = await tidemark(['restore', join(backups, oldest)], { dataDir: target })
    expect(full.stderr).toContain(`The data folder ${target} is not empty.`)
    expect(readdirSync(target)).toEqual(['something'])
    expect([damaged.code, other.code, full.code]).toEqual([1, 1, 1])
  })

  it('is refused where it makes no sense, in words', async () => {
    const { dataDir } = service
    const refused = async (args: string[], folder = dataDir) => (await tidemark(args, { dataDir: folder })).stderr
    expect(await refused(['backup', 'gs://bucket/prefix'])).toContain(
      'Backups are kept in folders and in buckets (s3://…), and gs: is neither.',
    )
    expect(await refused(['backup', join(dataDir, 'sub')])).toContain('is in the data folder.')
    expect(await refused(['backup', backups, '--keep', '0'])).toContain('--keep must be a whole number from 1')
    expect(await refused(['backup', backups], join(temporaryFolder(), 'none'))).toContain(
      'There is nothing to back up in',
    )
    expect(await refused(['restore', join(dataDir, 'none')])).toContain('There is no folder')
    expect(await refused(['restore', temporaryFolder()])).toContain('There is no complete backup in')
    expect(await refused(['move', '--to', '/no/such/file'])).toContain('/no/such/file cannot be read')
    const same = environmentFile({ TIDEMARK_DATA_DIR: dataDir })
    expect(await refused(['move', '--to', same.path])).toContain('The target needs a data folder of its own')
  })

  it('that was not restored to its end keeps the service from starting', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'restore-unfinished'), '')
    const started = await tidemark(['serve'], { dataDir: folder })
    expect(started.code).toBe(1)
    expect(started.stderr).toContain(`A restore into the data folder ${folder} has not finished.`)
  })

  function command(args: string[], dataDir = service.dataDir, env: Record<string, string> = {}) {
    return succeeding(args, { dataDir, env })
  }
})

function secretOf(dataDir: string): string {
  return readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()
}

function environmentFile(variables: Record<string, string>) {
  const path = join(temporaryFolder(), 'target.env')
  writeFileSync(
    path,
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  return { path, variables }
}

async function everyRow(dataDir: string): Promise<Record<string, string[]>> {
  const control = await readControl({ databaseUrl: undefined, dataDir })
  const found: Record<string, string[]> = {}
  for (const table of TABLES) {
    found[table] = []
    // What is forgotten after some time is remembered for as long after the copy.
    for await (const rows of control.rows(table)) {
      found[table].push(...rows.map(({ claimed_at, counted_at, ...row }) => JSON.stringify(row)))
    }
    found[table].sort()
  }
  await control.close()
  return found
}
