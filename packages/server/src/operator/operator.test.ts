import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { appliedMigrations, MIGRATIONS, migrate } from '../control/database/migrate.ts'
import { controlBackends } from '../testing/control.ts'
import { openLooker, openOperator } from './operator.ts'

describe.each(controlBackends())('the operator on $name', (backend) => {
  afterEach(() => backend.close())

  async function config(inside = '') {
    const { databaseUrl, dataDir } = await backend.options()
    return loadConfig(
      databaseUrl
        ? { TIDEMARK_DATABASE_URL: databaseUrl, TIDEMARK_SECRET_KEY: 'k'.repeat(32) }
        : { TIDEMARK_DATA_DIR: join(dataDir, inside) },
    )
  }

  it('makes nothing by looking where there is no store', async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    const mistyped = await config('mistyped')
    await expect(openLooker(mistyped)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^There is no control store in .+\. Set TIDEMARK_DATA(_DIR|BASE_URL) to /),
    })
    if (mistyped.storage.databaseUrl === undefined) expect(existsSync(mistyped.storage.dataDir)).toBe(false)
    else expect(await (await backend.openBare()).db.introspection.getTables()).toEqual([])
  })

  it('upgrades the store by changing something, never by looking', async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    const bare = await backend.openBare()
    const older = MIGRATIONS.length - 1
    await migrate(bare, 1, MIGRATIONS.slice(0, older))
    await expect(openLooker(await config())).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`has version ${older}, and this build of Tidemark has version`),
    })
    expect(await appliedMigrations(bare)).toHaveLength(older)

    const operator = await openOperator(await config())
    await operator.createProject({ name: 'shop' })
    await operator.close()
    expect(await appliedMigrations(bare)).toHaveLength(MIGRATIONS.length)
    const looker = await openLooker(await config())
    expect((await looker.listProjects()).map(({ name }) => name)).toEqual(['shop'])
    expect(await looker.showRepository({ project: 'shop' })).toEqual({ repository: null })
    await looker.close()
  })
})
