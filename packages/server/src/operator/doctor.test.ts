import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { MIGRATIONS, migrate } from '../control/database/migrate.ts'
import { controlBackends } from '../testing/control.ts'
import { diagnose, type Finding, LEAST_NODE } from './doctor.ts'

it('the doctor asks for the Node that package.json asks for', () => {
  const manifest = JSON.parse(readFileSync(`${import.meta.dirname}/../../../../package.json`, 'utf8'))
  expect(manifest.engines.node).toBe(`>=${LEAST_NODE}`)
})

describe.each(controlBackends())('the doctor on $name', (backend) => {
  afterEach(() => backend.close())

  async function environment(): Promise<Record<string, string>> {
    const { databaseUrl, dataDir } = await backend.options()
    return databaseUrl
      ? { TIDEMARK_DATABASE_URL: databaseUrl, TIDEMARK_SECRET_KEY: 'k'.repeat(32) }
      : { TIDEMARK_DATA_DIR: dataDir }
  }

  async function controlFindings(): Promise<Finding[]> {
    return (await diagnose(await environment())).filter(({ name }) => /^(control store|audit chain|alerts)/.test(name))
  }

  it('makes nothing where no service has started yet', async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    const name = `control store (${backend.name})`
    expect(await controlFindings()).toEqual([{ name, state: 'ok', message: 'made at the first start' }])
    const { databaseUrl, dataDir } = await backend.options()
    if (databaseUrl === undefined) expect(readdirSync(dataDir)).toEqual([])
    else expect(await (await backend.openBare()).db.introspection.getTables()).toEqual([])
  })

  it('says which version the store has and which this build, and never upgrades it', async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    const name = `control store (${backend.name})`
    const bare = await backend.openBare()
    const older = MIGRATIONS.length - 1
    await migrate(bare, 1, MIGRATIONS.slice(0, older))
    const before = await bare.db.selectFrom('tidemark_migrations').selectAll().execute()
    expect(await controlFindings()).toEqual([
      {
        name,
        state: 'problem',
        message: `The control database has version ${older}, and this build of Tidemark has version ${MIGRATIONS.length}. Start the service with this build, which upgrades it, or use the build that the service runs with.`,
      },
    ])
    expect(await bare.db.selectFrom('tidemark_migrations').selectAll().execute()).toEqual(before)
    expect(before).toHaveLength(older)

    await migrate(bare, 1)
    expect(await controlFindings()).toContainEqual({
      name,
      state: 'ok',
      message: `answers, version ${MIGRATIONS.length} as in this build, 0 projects`,
    })
  })

  it('says whether the audit chain is intact, and which entry breaks it', async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    const control = await backend.open()
    const auditFindings = async () => (await controlFindings()).filter(({ name }) => name === 'audit chain')

    await control.projects.create({ name: 'first', retentionDays: 30 }, { by: 'operator', nowMs: 1 })
    expect(await auditFindings()).toEqual([
      { name: 'audit chain', state: 'ok', message: expect.stringMatching(/^intact, 1 entry, newest [0-9a-f]{16}$/) },
    ])

    for (const name of ['second', 'third'])
      await control.projects.create({ name, retentionDays: 30 }, { by: 'operator', nowMs: 2 })
    const bare = await backend.openBare()
    await bare.db.updateTable('audit_log').set({ actor: 'somebody else' }).where('seq', '=', 3).execute()
    const [finding] = await auditFindings()
    expect(finding?.state).toBe('problem')
    expect(finding?.message).toMatchInlineSnapshot(
      `"broken at entry 3: it was changed, removed or inserted, not by the service. The 2 entries before it can be trusted, it and what follows cannot: compare with a backup, and check who can write to the database"`,
    )
  })
})
