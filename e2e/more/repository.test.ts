import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSource } from '../../packages/server/src/repository/testing/source-repository.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { startService, tidemark } from '../support/service/service.ts'

const LOCAL = { TIDEMARK_ALLOW_LOCAL_REPOSITORIES: 'true' }
const PATIENCE = { timeout: 60_000, interval: 500 }
const { path: source, commit } = createSource(temporaryFolder())

describe('tidemark repository', () => {
  it('connects beside a running service, which copies what is there within seconds and forgets it again', async () => {
    const first = commit()
    const service = await startService({ env: LOCAL, engine: false })
    const run = (...args: string[]) => tidemark(args, { dataDir: service.dataDir, env: LOCAL })
    const { project } = (await run('project', 'create', 'shop', '--json')).json()
    const show = async () => (await run('repository', 'show', '--project', 'shop', '--json')).json().repository
    expect(await show()).toBeNull()

    const connected = await run('repository', 'connect', '--project', 'shop', source, '--json')
    expect(connected).toMatchObject({ code: 0, stderr: '' })
    expect(connected.json().repository).toMatchObject({ kind: 'local', defaultBranch: 'main', headSha: first })
    await expect.poll(async () => (await show()).state, PATIENCE).toBe('ready')
    const mirrors = join(service.dataDir, 'repositories')
    // Another node may have its copy first.
    await expect.poll(() => readdirSync(mirrors), PATIENCE).toEqual([project.id])

    const second = commit()
    const synced = await run('repository', 'sync', '--project', 'shop')
    expect(synced).toMatchObject({ code: 0, stdout: expect.stringContaining(second) })
    const note = () => JSON.parse(readFileSync(join(mirrors, project.id, 'mirror.json'), 'utf8'))
    await expect.poll(() => note().headSha, PATIENCE).toBe(second)

    expect(await run('repository', 'disconnect', '--project', 'shop')).toMatchObject({ code: 0 })
    await expect.poll(() => readdirSync(mirrors), PATIENCE).toEqual([])
    expect(await service.stop()).toEqual({ code: 0, signal: null })
  })

  it('refuses a path that the operator has not allowed, and stores nothing', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const run = (...args: string[]) => tidemark(args, { dataDir })
    await run('project', 'create', 'shop')
    for (const url of [source, `file://${source}`, 'ext::sh -c id', 'https://127.0.0.1/x.git']) {
      const refused = await run('repository', 'connect', '--project', 'shop', '--json', '--', url)
      expect(refused).toMatchObject({ code: 1, stderr: '' })
      expect(refused.json().error).toMatchObject({ code: 'invalid_request' })
    }
    expect((await run('repository', 'show', '--project', 'shop')).stdout).toContain('No repository is connected')
    expect(readdirSync(join(dataDir, 'repositories'))).toEqual([])
  })

  it('says what is wrong with a file it should read a secret from, and never repeats one', async () => {
    const folder = temporaryFolder()
    const dataDir = join(folder, 'data')
    const run = (args: string[], env = {}) =>
      tidemark(['repository', 'connect', '--project', 'shop', ...args], { dataDir, env })
    await tidemark(['project', 'create', 'shop'], { dataDir })
    const missing = await run(['https://github.com/x.git', '--token-file', join(folder, 'none')])
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('cannot be read: it does not exist.')])
    writeFileSync(join(folder, 'token'), 'secret word')
    const bad = await run(['https://github.com/x.git', '--token-file', join(folder, 'token')])
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('This is not a token')])
    writeFileSync(join(folder, 'key'), 'a key')
    for (const two of [['--deploy-key', join(folder, 'key')], ['--keep-credential']]) {
      const both = await run(['https://github.com/x.git', '--token-file', join(folder, 'token'), ...two])
      expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('only one of the three')])
    }
    const variable = await run(['https://github.com/x.git'], { TIDEMARK_REPOSITORY_TOKEN: 'secret word' })
    expect(variable.code).toBe(1)
    expect(bad.stderr + variable.stderr + variable.stdout).not.toContain('secret word')
    expect(existsSync(join(dataDir, 'repositories'))).toBe(true)
  })
})
