import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { appliedMigrations, MIGRATIONS, migrate } from '../control/database/migrate.ts'
import { claimDataFolder } from '../folder/data-folder.ts'
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

  it('makes a store only where that is asked for, and knows that no service uses it', async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    const mistyped = await config('empty')
    const { dataDir, databaseUrl } = mistyped.storage
    if (databaseUrl === undefined) {
      await expect(openOperator(mistyped)).rejects.toMatchObject({ code: 'not_found' })
      expect(existsSync(dataDir)).toBe(false)
    }
    const unused = (isNew: boolean) => (databaseUrl === undefined ? { folder: dataDir, isNew } : undefined)
    for (const isNew of [true, false]) {
      const operator = await openOperator(mistyped, { create: true })
      expect(operator.unused).toEqual(unused(isNew))
      await operator.close()
    }
  })

  it('gives the addresses of the service that runs on the data folder, whatever the configuration of the command', async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    const used = await config('used')
    const addresses = {
      publicUrl: 'https://logs.example',
      ingestUrl: 'https://in.logs.example',
      mcpUrl: 'https://mcp.logs.example',
    }
    const folder = claimDataFolder(used.storage.dataDir)
    folder.announce(addresses)
    const operator = await openOperator(used, { create: true })
    expect(operator).toMatchObject({ addresses, unused: undefined })
    expect(await operator.createOwnerLink()).toMatch(/^https:\/\/logs\.example\/welcome#/)
    folder.release()
    await operator.close()
    const later = await openOperator(used)
    expect(later.addresses).toMatchObject({ publicUrl: 'http://localhost:4700' })
    await later.close()
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
