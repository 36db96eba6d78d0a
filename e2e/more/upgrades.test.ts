/**
 * Data folders that earlier versions left behind, opened by this one: everything is still there, once. Each was made by the
 * code of its commit (scripts/make-folder-fixture.mjs), and has a segment in its spool that was not loaded any more.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AppliedMigration, appliedMigrations } from '../../packages/server/src/control/database/migrate.ts'
import { openSqlite } from '../../packages/server/src/control/database/sqlite.ts'
import { missingEngine, STORE_TIMEOUT_MS } from '../../packages/server/src/logstore/testing/test-store.ts'
import { get, sendDeploy, sendLogs } from '../support/clients/reading-api.ts'
import { checkout, temporaryFolder } from '../support/service/processes.ts'
import { type Service, startService, tidemark } from '../support/service/service.ts'

type Made = {
  from: string
  to: string
  owner: { email: string; password: string }
  project: { id: string; name: string }
  ingestKey: string
  readKey: string
  deploy: { sha: string; externalId: string }
  loaded: string[]
  spooled: string[]
  errors: number
}

const FOLDERS = join(checkout, 'e2e/fixtures/folders')
const names = readdirSync(FOLDERS).flatMap((file) => (file.endsWith('.json') ? file.slice(0, -'.json'.length) : []))

const madeOf = (name: string): Made => JSON.parse(readFileSync(join(FOLDERS, `${name}.json`), 'utf8'))

function unpacked(name: string): string {
  const folder = temporaryFolder()
  execFileSync('tar', ['-xzf', join(FOLDERS, `${name}.tar.gz`), '-C', folder])
  return folder
}

describe.skipIf(missingEngine !== undefined).each(names)('a folder of an earlier version (%s)', (name) => {
  const made = madeOf(name)
  const { from, to, readKey } = made
  const project = { ...made, ...made.project }
  let service: Service
  beforeAll(async () => {
    service = await startService({ dataDir: unpacked(name) })
  }, STORE_TIMEOUT_MS)

  it('has every record once, those that waited in the spool too', async () => {
    const messages = async () => {
      const { body } = await get(service, readKey, '/api/logs', { from, to, limit: 100 })
      return body.rows
        .filter(({ kind }: { kind: string }) => kind === 'log')
        .map(messageOf)
        .sort()
    }
    await expect.poll(messages).toEqual([...made.loaded, ...made.spooled].sort())
  })

  it('has its analysis, with every error counted once', async () => {
    const analyses = async () => (await get(service, readKey, '/api/analyses', { from, to })).body.analyses
    await expect.poll(analyses).toMatchObject([{ count: made.errors, environment: 'production' }])
  })

  it('has its deploy, which is known by its external id', async () => {
    const { body } = await get(service, readKey, '/api/deploys', { from, to })
    const { sha, externalId } = made.deploy
    expect(body.deploys).toMatchObject([{ sha }])
    const { id, deployedAt } = body.deploys[0]
    expect(await sendDeploy(service, project, { sha, externalId, environment: 'production', deployedAt })).toBe(id)
  })

  it('lets its owner sign in and takes records with its keys', async () => {
    const response = await fetch(`${service.url}/api/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'tidemark' },
      body: JSON.stringify(made.owner),
    })
    expect(response.status).toBe(200)
    await sendLogs(service, project, [{ message: 'sent to the newest' }])
  })

  it('has an audit log whose chain is intact', async () => {
    const { stdout } = await tidemark(['doctor'], { dataDir: service.dataDir })
    expect(stdout).toMatch(/audit chain: intact/)
    expect(await service.stop()).toEqual({ code: 0, signal: null })
  })
})

describe.skipIf(missingEngine !== undefined)('a backup of a folder of an earlier version', () => {
  it('leaves its control store as it was, and is brought up to date where it is restored', async () => {
    const [name = ''] = names.filter((one) => one.startsWith('control-10-'))
    const { from, to, readKey, loaded, spooled } = madeOf(name)
    const dataDir = unpacked(name)
    const before = await migrationsIn(dataDir)
    expect(before).toHaveLength(10)
    const backups = join(temporaryFolder(), 'backups')
    const restored = join(temporaryFolder(), 'restored')
    expect((await tidemark(['backup', backups], { dataDir })).code).toBe(0)
    expect(await migrationsIn(dataDir)).toEqual(before)

    expect((await tidemark(['restore', backups], { dataDir: restored })).code).toBe(0)
    expect((await migrationsIn(restored)).length).toBeGreaterThan(10)
    const service = await startService({ dataDir: restored })
    const messages = async () =>
      (await get(service, readKey, '/api/logs', { from, to, limit: 100 })).body.rows
        .filter(({ kind }: { kind: string }) => kind === 'log')
        .map(messageOf)
        .sort()
    await expect.poll(messages).toEqual([...loaded, ...spooled].sort())
    await service.stop()
  })
})

describe('a folder of a newer version', () => {
  const [any = ''] = names

  it('with another format of segments is refused, and the segment stays as it is', async () => {
    const dataDir = unpacked(any)
    const spool = join(dataDir, 'spool')
    const [segment = ''] = readdirSync(spool)
    const content = readFileSync(join(spool, segment))
    content.write('TMF2', content.indexOf('TMF1'))
    // Another version has another checksum of its header; with the old one, the digit alone would be damaged.
    content.writeUInt32LE(0, content.indexOf('TMF2') + 12)
    writeFileSync(join(spool, segment), content)
    const { code, stderr } = await tidemark(['serve'], {
      dataDir,
      env: { TIDEMARK_CLICKHOUSE_URL: 'http://127.0.0.1:1' },
    })
    expect(code).toBe(1)
    expect(stderr).toContain('Tidemark could not start. The spool has records of a newer Tidemark')
    expect(readFileSync(join(spool, segment)).equals(content)).toBe(true)
  })

  it.skipIf(missingEngine !== undefined)(
    'with another log table is not ready and says why, while records are still taken in',
    async () => {
      const dataDir = unpacked(any)
      const store = join(dataDir, 'engine/database/store')
      const tables = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.endsWith('logs.sql'),
      )
      for (const table of tables) {
        const path = join(store, table)
        writeFileSync(path, readFileSync(path, 'utf8').replace(/tidemark schema \d+/, 'tidemark schema 99'))
      }
      const service = await startService({ dataDir, until: 'listening' })
      const problem = async () => (await (await fetch(`${service.url}/readyz`)).json()) as unknown
      await expect.poll(problem).toMatchObject({
        status: 'unavailable',
        checks: expect.arrayContaining([
          {
            name: 'log store',
            ok: false,
            problem: expect.stringMatching(
              /^The log store was made by a newer Tidemark\. Start that version or a later one\./,
            ),
          },
        ]),
      })
      const made = madeOf(any)
      await sendLogs(service, { ...made, ...made.project }, [{ message: 'kept in the spool' }])
    },
  )
})

async function migrationsIn(dataDir: string): Promise<AppliedMigration[]> {
  const database = openSqlite(dataDir, { purpose: 'look' })
  try {
    return await appliedMigrations(database)
  } finally {
    await database.close()
  }
}

function messageOf({ message }: { message: string }): string {
  return message
}
