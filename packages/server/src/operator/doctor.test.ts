import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { controlBackends } from '../testing/control.ts'
import { diagnose, LEAST_NODE } from './doctor.ts'

it('the doctor asks for the Node that package.json asks for', () => {
  const manifest = JSON.parse(readFileSync(`${import.meta.dirname}/../../../../package.json`, 'utf8'))
  expect(manifest.engines.node).toBe(`>=${LEAST_NODE}`)
})

describe.each(controlBackends())('the doctor on $name', (backend) => {
  afterAll(() => backend.close())

  it('says whether the audit chain is intact, and which entry breaks it', async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    const control = await backend.open()
    const { databaseUrl, dataDir } = await backend.options()
    const env = databaseUrl
      ? { TIDEMARK_DATABASE_URL: databaseUrl, TIDEMARK_SECRET_KEY: 'k'.repeat(32) }
      : { TIDEMARK_DATA_DIR: dataDir }
    const auditFindings = async () => (await diagnose(env)).filter(({ name }) => name === 'audit chain')

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
