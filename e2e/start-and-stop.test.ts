import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from './support/service/processes.ts'
import { type Service, startService, tidemark } from './support/service/service.ts'

describe('a start', () => {
  const dataDir = join(temporaryFolder(), 'made', 'by-the-start')
  let service: Service
  beforeAll(async () => {
    service = await startService({ dataDir, env: { TIDEMARK_RETENTION_DAY: '7' } })
  })

  it('ends with an address, a one-time owner link and a line to try, and is ready then', async () => {
    const address = `http://localhost:${service.port}`
    expect(service.stdout()).toContain(`Tidemark is running at ${address}\n`)
    expect(service.stdout()).toMatch(new RegExp(`\\n {2}${address}/welcome#[A-Za-z0-9_-]{32}\\n`))
    expect(service.stdout()).toContain(`  export TIDEMARK_DATA_DIR=${dataDir}\n  npx tidemark project create my-shop\n`)
    expect(service.stdout()).toMatch(new RegExp(`\\n {2}curl .*${address}/v1/logs .*\\$TIDEMARK_INGEST_KEY`))
    const response = await fetch(`${service.url}/readyz`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'ready' })
    expect(await (await fetch(`${service.url}/healthz`)).json()).toEqual({ status: 'ok' })
  })

  it('has commands print its own addresses, whatever port they are configured with', async () => {
    const env = { TIDEMARK_PORT: '5899' }
    const made = await tidemark(['project', 'create', 'first'], { dataDir, env })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toContain(`http://localhost:${service.port}/v1/logs`)
    expect(made.stdout).not.toContain('5899')
  })

  it('is not used by a command in an empty folder, which refuses to make a link there and reports a new store', async () => {
    const other = join(temporaryFolder(), 'data')
    const link = await tidemark(['owner-link'], { dataDir: other })
    expect(link).toMatchObject({ code: 1, stderr: expect.stringContaining(`There is no control store in ${other}.`) })
    expect(existsSync(other)).toBe(false)
    const made = await tidemark(['project', 'create', 'alone', '--json'], { dataDir: other })
    expect(made.json().project.name).toBe('alone')
    expect(made.stderr).toContain(
      `The data folder ${other} was empty: a new store was made in it, and no service runs on it.`,
    )
  })

  it('makes the data folder and keeps all in it readable by its owner alone', () => {
    const modes = ['.', ...readdirSync(dataDir)].map((name) => [name, statSync(join(dataDir, name)).mode & 0o077])
    expect(modes.filter(([, forOthers]) => forOthers !== 0)).toEqual([])
  })

  it('warns about a variable it does not know and goes on', () => {
    expect(service.stderr()).toMatch(/"level":"warn".*"variable":"TIDEMARK_RETENTION_DAY"/)
  })

  it('makes a new owner link each time and keeps its token out of the log', async () => {
    await service.stop()
    const again = await startService({ dataDir, engine: false })
    const token = (text: string) => /welcome#(\S+)/.exec(text)?.[1] ?? 'none'
    expect(token(again.stdout())).not.toBe(token(service.stdout()))
    expect(again.stderr()).not.toContain(token(again.stdout()))
  })
})

describe('an end', () => {
  it('by SIGKILL loses nothing and leaves a folder that starts again', async () => {
    const service = await startService({ until: 'listening' })
    const { project } = (await tidemark(['project', 'create', 'kept', '--json'], { dataDir: service.dataDir })).json()
    expect(await service.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    const again = await startService({ dataDir: service.dataDir, until: 'listening' })
    const { projects } = (await tidemark(['project', 'list', '--json'], { dataDir: again.dataDir })).json()
    expect(projects).toMatchObject([{ id: project.id, name: 'kept' }])
    expect(await again.stop()).toEqual({ code: 0, signal: null })
  })
})
