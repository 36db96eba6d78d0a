import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTidemark, type Drop } from '../packages/sdk/src/index.ts'
import { browserUnavailable, openPage } from './support/browser/browser.ts'
import * as apps from './support/sdk/sdk-apps.ts'
import { createGate } from './support/sdk/sdk-gate.ts'
import { createSdkProject, type Ended, runProgram, SDK_TARBALL, startProgram } from './support/sdk/sdk-project.ts'
import { startSite } from './support/sdk/sdk-site.ts'
import { engineRows } from './support/service/engine-query.ts'
import { createProject, type TestProject } from './support/service/ingest-project.ts'
import { checkout } from './support/service/processes.ts'
import { type Service, sharedService } from './support/service/service.ts'
import { settled } from './support/service/settled.ts'

const COLUMNS = `level, environment, service, host, logger, release, trace_id, span_id, message, error_type, error_message,
  error_stack, attributes, toUnixTimestamp64Milli(time) AS timeMs`

type Row = {
  level: string
  environment: string
  service: string
  host: string
  logger: string
  release: string
  trace_id: string
  span_id: string
  message: string
  error_type: string
  error_message: string
  error_stack: string
  attributes: Record<string, string>
  timeMs: string
}

let service: Service
let project: TestProject
let folder: string
let env: Record<string, string>
let startedAt: number
const ended: Record<string, Ended> = {}

beforeAll(async () => {
  startedAt = Date.now()
  service = await sharedService()
  project = await createProject(service, 'sdk')
  folder = createSdkProject()
  env = { TIDEMARK_URL: service.url, TIDEMARK_INGEST_KEY: project.ingestKey }
  ended.pino = await runProgram(folder, 'pino.mjs', apps.PINO_APP, env)
  ended.pinoKeys = await runProgram(folder, 'pino-keys.cjs', apps.PINO_KEYS_APP, env)
  ended.winston = await runProgram(folder, 'winston.cjs', apps.WINSTON_APP, env)
  ended.express = await runProgram(folder, 'express.mjs', apps.EXPRESS_APP, env)
  ended.fastify = await runProgram(folder, 'fastify.mjs', apps.FASTIFY_APP, env)
  ended.esm = await runProgram(folder, 'esm.mjs', apps.ESM_APP, env)
  ended.cjs = await runProgram(folder, 'cjs.cjs', apps.CJS_APP, env)
  await settled(service)
})

function rowsOf(name: string): Promise<Row[]> {
  return engineRows<Row>(
    service.dataDir,
    `SELECT ${COLUMNS} FROM logs WHERE project = '${project.id}' AND service = '${name}' ORDER BY time, seq LIMIT 10000`,
  )
}

async function countOf(name: string): Promise<number> {
  const [row] = await engineRows<{ n: string }>(
    service.dataDir,
    `SELECT count() AS n FROM logs WHERE project = '${project.id}' AND service = '${name}'`,
  )
  return Number(row?.n)
}

const POLL = { timeout: 60_000, interval: 500 }

const only = (rows: Row[], message: string) => {
  const found = rows.filter((row) => row.message === message)
  expect(found, message).toHaveLength(1)
  return found[0]!
}
const causes = (stack: string) => stack.split('\n').filter((line) => line.includes('[cause]: '))

it.each(['pino', 'pinoKeys', 'winston', 'express', 'fastify', 'esm', 'cjs'])(
  'the program with %s ends well and complains of nothing',
  (name) => {
    expect(ended[name]).toMatchObject({ code: 0, stderr: '' })
  },
)

describe('pino', () => {
  it('keeps levels, time, names, attributes and trace', async () => {
    const rows = await rowsOf('pino-app')
    expect(rows.map(({ level }) => level)).toEqual(['info', 'trace', 'warn', 'error', 'fatal'])
    expect(only(rows, 'pino info')).toMatchObject({
      environment: 'staging',
      host: 'pino-host',
      logger: 'payments',
      release: 'r1',
      attributes: { region: 'eu', orderId: '7', 'nested.a': 'true', pid: '1' },
    })
    expect(only(rows, 'pino warn').trace_id).toBe('0af7651916cd43dd8448eb211c80319c')
    for (const { timeMs } of rows) expect(Number(timeMs)).toBeGreaterThanOrEqual(startedAt)
    expect(rows.at(-1)).toMatchObject({ level: 'fatal', attributes: { only: 'attributes' } })
  })

  it('keeps an error with its stack and cause', async () => {
    const row = only(await rowsOf('pino-app'), 'pino error')
    expect(row).toMatchObject({ error_type: 'PaymentError', error_message: 'card refused: no socket' })
    expect(row.error_stack).toMatch(/card refused\n {4}at .*pino\.mjs:\d+/)
    expect(causes(row.error_stack)).toEqual(['  [cause]: TypeError: no socket'])
  })

  it('follows keys that were moved', async () => {
    expect(await rowsOf('pino-keys')).toMatchObject([
      { level: 'error', message: 'moved keys', environment: 'e2e', error_type: 'RangeError' },
    ])
  })
})

describe('winston', () => {
  it('keeps levels, attributes, logger and context', async () => {
    const rows = await rowsOf('winston-app')
    expect(only(rows, 'winston info')).toMatchObject({
      level: 'info',
      environment: 'e2e',
      logger: 'billing',
      trace_id: 'other-library',
      span_id: 'its-span',
      attributes: { region: 'eu', orderId: '7' },
    })
    expect(only(rows, 'winston silly').level).toBe('trace')
    expect(only(rows, 'winston warn')).toMatchObject({ level: 'warn', trace_id: 'winston-trace' })
    expect(ended.winston?.stdout).toBe('finished\n')
  })

  it.each([
    ['winston error with message', 'TypeError', 'with message', ['  [cause]: RangeError: root']],
    ['alone', 'TypeError', 'alone', []],
    ['in meta', 'TypeError', 'meta', []],
    ['formatted', 'SyntaxError', 'formatted', []],
  ])('keeps an error however it was passed: %s', async (message, type, errorMessage, expectedCauses) => {
    const row = only(await rowsOf('winston-app'), message)
    expect(row).toMatchObject({ level: 'error', error_type: type, error_message: errorMessage })
    expect(row.error_stack).toMatch(new RegExp(`^${type}: ${errorMessage}\\n {4}at .*winston\\.cjs:\\d+`))
    expect(causes(row.error_stack)).toEqual(expectedCauses)
  })
})

describe('Express', () => {
  it('ties the records of a request together, also those of parallel ones', async () => {
    const rows = await rowsOf('express-app')
    expect(rows).toHaveLength(6)
    const first = rows.filter(({ attributes }) => attributes.requestId === 'first')
    const second = rows.filter(({ attributes }) => attributes.requestId === 'second')
    expect(new Set(first.map((row) => row.trace_id))).toEqual(new Set(['4bf92f3577b34da6a3ce929d0e0e4736']))
    expect(new Set(first.map((row) => row.span_id))).toEqual(new Set(['00f067aa0ba902b7']))
    expect(new Set(second.map((row) => row.trace_id)).size).toBe(1)
    expect(ended.express?.stdout.split('\n')).toContain(`00-${second[0]?.trace_id}-${second[0]?.span_id}-01`)
    expect(first.map(({ message }) => message)).toEqual(['order asked for', 'order found', 'request failed'])
    expect(first[1]).toMatchObject({ level: 'debug', logger: 'orders' })
  })

  it('keeps the error, and a whole request among the attributes does no harm', async () => {
    const [row] = (await rowsOf('express-app')).filter(({ message }) => message === 'request failed')
    expect(row).toMatchObject({ level: 'error', error_type: 'TypeError', error_message: 'order is broken' })
    expect(row?.attributes.attributesCut).toMatch(/^\d+$/)
  })
})

describe('Fastify', () => {
  it('sends its own records and those of handlers, with the request id', async () => {
    const rows = await rowsOf('fastify-app')
    expect(rows.map(({ message }) => message)).toEqual([
      'incoming request',
      'fastify step',
      'fastify failed',
      'request completed',
    ])
    expect(new Set(rows.map(({ attributes }) => attributes.reqId))).toEqual(new Set(['req-1']))
    expect(rows[2]).toMatchObject({ level: 'error', error_type: 'RangeError' })
    expect(rows[2]?.error_stack).toMatch(/fastify\.mjs:\d+/)
  })
})

describe('the tarball', () => {
  it('is what the service serves', async () => {
    const response = await fetch(`${service.url}/sdk.tgz`)
    expect(response.headers.get('content-type')).toBe('application/gzip')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(readFileSync(SDK_TARBALL))
  })

  it('works from ESM and from CommonJS', async () => {
    for (const name of ['esm', 'cjs']) {
      expect(JSON.parse(ended[name]?.stdout ?? '')).toEqual(['function', 'function', 'function', true])
    }
    expect((await rowsOf('installed')).map(({ message }) => message)).toEqual(['from ESM', 'from CommonJS'])
  })

  it('has a manifest of its own: no dependencies, nothing of the workspace', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@tidemark/sdk/package.json'), 'utf8'))
    expect(Object.keys(manifest).filter((key) => /private|dependencies$/i.test(key))).toEqual(['peerDependencies'])
    expect(JSON.stringify(manifest)).not.toMatch(/tidemark-source|src\//)
  })
})

describe('records that were acknowledged', () => {
  it('survive a kill -9 right after the flush, each once', async () => {
    const program = startProgram(folder, 'killed.mjs', apps.KILLED_APP, env)
    await program.printed('flushed')
    program.child.kill('SIGKILL')
    const { stdout, signal } = await program.ended
    expect(signal).toBe('SIGKILL')
    expect(stdout).toBe('flushed {"ok":true,"delivered":3000,"lost":0,"pending":0}\n')
    await settled(service)
    const found = (await rowsOf('killed-app')).map(({ message }) => message)
    expect(found).toEqual(Array.from({ length: 3_000 }, (_, at) => `killed ${at}`))
  })
})

describe('a service that is away for a while', () => {
  it('gets everything within the bound, each once, and is told of what was beyond it', async () => {
    const gate = await createGate(service.port)
    const drops: Drop[] = []
    const client = createTidemark({
      url: gate.url,
      ingestKey: project.ingestKey,
      service: 'outage',
      maxBufferBytes: 128 * 1024,
      flushIntervalMs: 20,
      onError: () => {},
      onDrop: (drop) => drops.push(drop),
    })
    client.info('before')
    expect(await client.flush()).toMatchObject({ ok: true })
    await gate.shut()
    for (let at = 0; at < 3_000; at++) client.info(`outage ${at}`)
    expect(await client.flush({ timeoutMs: 1_500 })).toMatchObject({ ok: false, delivered: 0 })
    const { queued, dropped } = client.stats()
    const kept = 3_000 - dropped
    expect(kept).toBeGreaterThan(100)
    expect(dropped).toBeGreaterThan(100)
    await gate.open()
    expect(await client.flush()).toMatchObject({ pending: 0, delivered: queued })
    client.info('after')
    await client.close()
    await gate.shut()
    await settled(service)
    const rows = await rowsOf('outage')
    expect(rows.filter(({ logger }) => logger === '').map(({ message }) => message)).toEqual([
      'before',
      ...Array.from({ length: kept }, (_, at) => `outage ${at}`),
      'after',
    ])
    expect(rows.filter(({ logger }) => logger === '@tidemark/sdk')).toMatchObject([
      { level: 'warn', attributes: { dropped: String(dropped), 'droppedBy.buffer_full': String(dropped) } },
    ])
    expect(rows).toHaveLength(kept + 3)
    expect(drops.reduce((sum, { records }) => sum + records, 0)).toBe(dropped)
  })
})

// Last: what a page sends while it is left may be sent twice and stored once, which the metrics count as not loaded yet.
describe.skipIf(browserUnavailable())('a page', () => {
  it('sends what it logged and what it did not catch, and the rest when it is left', async () => {
    const [html = ''] =
      /(?<=```html[^\n]*\n)[\s\S]*?(?=```)/.exec(readFileSync(join(checkout, 'docs/sdk.md'), 'utf8')) ?? []
    const site = await startSite(
      folder,
      html.replace('http://localhost:4700', service.url).replace('tidemark_ingest_…', project.ingestKey),
    )
    const { page } = await openPage(site.url)
    await page.goto(`${site.url}/shop`)
    await page.evaluate("setTimeout(() => { throw new TypeError('page error') })")
    await expect.poll(() => countOf('web'), POLL).toBe(2)
    await page.evaluate("void Promise.reject(new RangeError('page rejection'))")
    await expect.poll(() => countOf('web'), POLL).toBe(3)
    await page.goto(`${site.url}/left`)
    await page.goto('about:blank')
    await expect.poll(() => countOf('web'), POLL).toBe(4)
    await site.stop()
    const rows = await rowsOf('web')
    expect(rows.map(({ level, message }) => [level, message])).toEqual([
      ['info', 'Page opened'],
      ['fatal', 'TypeError: page error'],
      ['fatal', 'RangeError: page rejection'],
      ['info', 'Page opened'],
    ])
    expect(rows.map(({ attributes }) => attributes)).toEqual([
      { path: '/shop' },
      { mechanism: 'onerror' },
      { mechanism: 'unhandledrejection' },
      { path: '/left' },
    ])
    expect(rows[1]).toMatchObject({ error_type: 'TypeError', error_stack: expect.stringMatching(/\n {4}at /) })
  })

  it('that is left leaves all behind that a browser lets through, whatever was too large for it', async () => {
    const options = JSON.stringify({ url: service.url, ingestKey: project.ingestKey, service: 'web-left' })
    const site = await startSite(
      folder,
      `<script type="module">
        import { createTidemark } from './node_modules/@tidemark/sdk/dist/browser.js'
        const tidemark = createTidemark(${options})
        globalThis.logAndLeave = () => {
          tidemark.info('too large', { text: Array.from({ length: 40 }, () => '.'.repeat(4_000)) })
          tidemark.info('first', { text: Array.from({ length: 6 }, () => '.'.repeat(4_000)) })
          tidemark.info('second', { text: Array.from({ length: 7 }, () => '.'.repeat(4_000)) })
          location.replace('about:blank')
        }
      </script>`,
    )
    const { page } = await openPage(site.url)
    await page.goto(`${site.url}/leaving`)
    await page.evaluate('void setTimeout(logAndLeave)')
    const found = async () => (await rowsOf('web-left')).map(({ message }) => message)
    await expect.poll(found, POLL).toEqual(expect.arrayContaining(['first', 'second']))
    // Two requests at once: either may come first.
    expect((await found()).filter((message) => message !== 'too large').sort()).toEqual(['first', 'second'])
    await site.stop()
  })
})
