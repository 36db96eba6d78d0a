import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimDataFolder } from '@tidemark/server/data-folder'
import { afterAll, describe, expect, it } from 'vitest'
import { demoConfig } from './demo-config.ts'
import { type DemoState, openDemoFolder, saveState } from './demo-folder.ts'
import { oldHistoryText, shopText } from './welcome.ts'

const root = mkdtempSync(join(tmpdir(), 'tidemark-demo-'))
const state: DemoState = {
  seed: 7,
  nowMs: 1_800_000_000_000,
  project: { id: 'prj_1', name: 'Shop' },
  ingestKey: 'tidemark_ingest_x',
  readKey: 'tidemark_read_x',
  loadedAtMs: null,
  liveStartMs: null,
  isRepositoryConnected: false,
}

afterAll(() => rmSync(root, { recursive: true, force: true }))

function newFolder(name: string): string {
  const folder = join(root, name)
  mkdirSync(folder)
  return folder
}

describe('the folder of the demo', () => {
  it('is new when it is missing or empty', () => {
    expect(openDemoFolder(join(root, 'none'), { fresh: false })).toBeUndefined()
    expect(openDemoFolder(newFolder('empty'), { fresh: true })).toBeUndefined()
  })

  it('remembers the demo, readable by nobody else', () => {
    const folder = newFolder('kept')
    saveState(folder, state)
    expect(openDemoFolder(folder, { fresh: false })).toEqual(state)
    expect(statSync(join(folder, 'demo.json')).mode & 0o777).toBe(0o600)
  })

  it('is left alone when it holds anything else, also with --fresh', () => {
    const folder = newFolder('precious')
    writeFileSync(join(folder, 'control.db'), 'mine')
    for (const fresh of [false, true]) expect(() => openDemoFolder(folder, { fresh })).toThrow(/--data-dir/)
    expect(existsSync(join(folder, 'control.db'))).toBe(true)
  })

  it('is thrown away with --fresh, unless a demo runs in it', () => {
    const folder = newFolder('old')
    saveState(folder, state)
    const running = claimDataFolder(folder)
    expect(() => openDemoFolder(folder, { fresh: true })).toThrow(/in use/)
    running.release()
    expect(openDemoFolder(folder, { fresh: true })).toBeUndefined()
    expect(existsSync(folder)).toBe(false)
  })
})

describe('the configuration of the demo', () => {
  it('keeps away from the stores and the folder of the real service', () => {
    const config = demoConfig(
      { dataDir: join(root, 'demo') },
      {
        TIDEMARK_DATA_DIR: '/srv/real',
        TIDEMARK_DATABASE_URL: 'postgres://real',
        TIDEMARK_CLICKHOUSE_URL_FILE: '/run/secrets/clickhouse',
        TIDEMARK_RETENTION_DAYS: '1',
        TIDEMARK_ROLES: 'mcp',
        TIDEMARK_PORT: '4711',
      },
    )
    expect(config.storage).toMatchObject({ dataDir: join(root, 'demo'), retentionDays: 30 })
    expect(config.storage.databaseUrl).toBeUndefined()
    expect(config.storage.clickhouseUrl).toBeUndefined()
    expect(config.roles).toContain('ingest')
    expect(config.http.port).toBe(4711)
    expect(config.repository.allowLocal).toBe(true)
  })

  it('has addresses and ports of its own beside the real service, and listens where it is told to', () => {
    const real = {
      TIDEMARK_PUBLIC_URL: 'https://logs.example.com',
      TIDEMARK_INGEST_URL: 'https://in.example.com',
      TIDEMARK_MCP_URL_FILE: '/run/secrets/mcp-url',
      TIDEMARK_SYSLOG_PORT: '6514',
      TIDEMARK_SYSLOG_TLS_CERT_FILE: '/etc/tidemark/syslog.crt',
      TIDEMARK_PORT: '4711',
    }
    const url = 'http://localhost:4711'
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const config = demoConfig({ dataDir: root }, { ...real, TIDEMARK_HOST: host })
      expect(config.http).toMatchObject({ host, publicUrl: url, ingestUrl: url, mcpUrl: url })
      expect(config.syslog).toBeUndefined()
    }
  })

  it('takes the port from the command line first', () => {
    expect(demoConfig({ dataDir: root, port: '4800' }, { TIDEMARK_PORT: '4711' }).http.port).toBe(4800)
  })
})

describe('the words of the demo', () => {
  it('name the address, the line for an agent and three things to try', () => {
    const given = {
      publicUrl: 'http://localhost:4700',
      mcpUrl: 'http://localhost:4700',
      answersPath: 'data-demo/answers.json',
    }
    expect(shopText(state, { ...given, isLiveDeployAhead: true })).toMatchInlineSnapshot(`
      "
      The shop is open.

      Look at the last six hours:
        http://localhost:4700/projects/prj_1/logs?from=-6h

      Connect an agent (Claude Code):
        claude mcp add --transport http tidemark-demo http://localhost:4700/mcp --header "Authorization: Bearer tidemark_read_x"

      Three things to try:
        1. In the histogram, find the violet line after which the errors of checkout begin. What did that deploy change?
        2. Ask the agent: "Guests cannot check out. What changed before that began, and in which file and line?"
        3. Stay for two minutes with live tail on: a deploy goes out, and something breaks.

      What really happened in each incident stands in data-demo/answers.json. The service has not seen it; look there last.
      "
    `)
  })

  it('say how to start afresh once the history is a day old', () => {
    const hour = 3_600_000
    expect(oldHistoryText(state, state.nowMs + 23 * hour)).toBeUndefined()
    expect(oldHistoryText(state, state.nowMs + 25 * hour)).toContain('ends a day ago')
    expect(oldHistoryText(state, state.nowMs + 73 * hour)).toContain('tidemark demo --fresh')
  })
})
