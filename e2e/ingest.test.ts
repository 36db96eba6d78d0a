import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { logsAnswer } from '../packages/wire/src/logs.ts'
import { EXPECTED_ROW, FORMATS, type LogRequest } from './support/clients/ingest-formats.ts'
import { engineRows } from './support/service/engine-query.ts'
import { createProject, type TestProject, withControl } from './support/service/ingest-project.ts'
import { checkout } from './support/service/processes.ts'
import { type Service, sharedService } from './support/service/service.ts'
import { settled } from './support/service/settled.ts'
import { isSeveralNodes } from './support/service/stores.ts'

const COLUMNS = `project, toString(toUnixTimestamp64Micro(time)) AS timeUs, level, environment, environment_defaulted,
  service, host, logger, release, trace_id, span_id, message, truncated, error_type, error_message, error_stack, attributes`

type Row = Omit<typeof EXPECTED_ROW, 'attributes'> & {
  project: string
  message: string
  attributes: Record<string, string>
}
type Answer = { status: number; headers: Headers; text: string }

/** What JSON can carry and a careless store would stumble over, with what must come out again. */
const HOSTILE: [sent: string, stored: string][] = [
  ['a line, then nothing\n\n; DROP TABLE logs; --', 'a line, then nothing\n\n; DROP TABLE logs; --'],
  [`quotes ' " \` and \\' and \\n`, `quotes ' " \` and \\' and \\n`],
  ['{project:String} %s %n $1 ? {{7*7}}', '{project:String} %s %n $1 ? {{7*7}}'],
  ['tabs\tand\r\nreturns\u2028and\u0085more', 'tabs\tand\r\nreturns\u2028and\u0085more'],
  ['\u001b[31mred\u001b[0m \u0007 \u202egnp.exe \u200b', '\u001b[31mred\u001b[0m \u0007 \u202egnp.exe \u200b'],
  ['👩‍👩‍👧‍👦 e\u0301 \u{10ffff} ﷽', '👩‍👩‍👧‍👦 e\u0301 \u{10ffff} ﷽'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['NUL \0 and half a pair \ud83d', 'NUL \ufffd and half a pair \ufffd'],
]

const second = Math.floor(Date.now() / 1_000) - 60
const seconds = (offset: string) =>
  new Date((second + (offset === '+05:30' ? 19_800 : 0)) * 1_000).toISOString().slice(0, 19)
/** By the message of their record: a timestamp as it is written into the JSON, and its microseconds. */
const TIMES: Record<string, [written: string, timeUs: string]> = {
  'seconds only': [`"${seconds('Z')}Z"`, `${second}000000`],
  microseconds: [`"${seconds('Z')}.654321Z"`, `${second}654321`],
  'nanoseconds, cut': [`"${seconds('Z')}.654321987Z"`, `${second}654321`],
  'with an offset': [`"${seconds('+05:30')}.000001+05:30"`, `${second}000001`],
  'epoch in seconds': [`${second}`, `${second}000000`],
  'epoch in milliseconds': [`${second}654`, `${second}654000`],
  'epoch in microseconds': [`${second}654321`, `${second}654321`],
  'epoch in nanoseconds': [`${second}654321987`, `${second}654321`],
  'epoch in nanoseconds as text': [`"${second}654321987"`, `${second}654321`],
}

let service: Service
let shop: TestProject
let other: TestProject
let rows: Row[]
const answers: Record<string, Answer> = {}

beforeAll(async () => {
  service = await sharedService()
  shop = await createProject(service, 'shop')
  other = await createProject(service, 'other', { defaultEnvironment: 'Lab' })
  for (const [format, make] of Object.entries(FORMATS)) answers[format] = await send(shop, make(format))
  await sendRecords(
    shop,
    HOSTILE.map(([sent], index) => ({ message: sent, logger: `hostile ${index}`, attributes: { [`k${sent}`]: sent } })),
  )
  await send(shop, {
    headers: { 'content-type': 'application/x-ndjson' },
    body: Object.entries(TIMES)
      .map(([message, [written]]) => `{"message":"${message}","timestamp":${written}}`)
      .join('\n'),
  })
  const environments = ['Prod ', 'prod', 'PROD', ' ', '', undefined, null]
  await sendRecords(
    shop,
    environments.map((environment) => ({ message: `environment ${JSON.stringify(environment)}`, environment })),
  )
  await sendRecords(other, [{ message: 'an environment of its own' }, { message: 'the same in two projects' }])
  await sendRecords(shop, [
    { message: 'the same in two projects' },
    { message: `long ${'é'.repeat(40_000)}` },
    { message: 'long names', service: 's'.repeat(300), environment: 'e'.repeat(255) },
    { message: 'keys of the language', attributes: { constructor: 1, toString: 2, nested: { hasOwnProperty: 3 } } },
  ])
  await settled(service)
  rows = await engineRows<Row>(
    service.dataDir,
    `SELECT ${COLUMNS} FROM logs WHERE project IN ('${shop.id}', '${other.id}') LIMIT 1000`,
  )
})

describe('a record', () => {
  it.each(Object.keys(FORMATS))('arrives complete as %s', (format) => {
    const answer = answers[format]
    expect(answer?.status).toBe(200)
    if (format.startsWith('OTLP in protobuf')) {
      expect([answer?.headers.get('content-type'), answer?.text]).toEqual(['application/x-protobuf', ''])
    } else if (format.startsWith('OTLP')) expect(JSON.parse(answer?.text ?? '')).toEqual({})
    else expect(JSON.parse(answer?.text ?? '')).toEqual({ accepted: 1, rejected: [] })
    expect(rowsWith(format)).toEqual([{ ...EXPECTED_ROW, message: format, project: shop.id }])
  })

  it.each(HOSTILE.map(([sent, stored], index) => [JSON.stringify(sent), stored, index] as const))(
    'keeps the text %s, as a value and as a key',
    (_, stored, index) => {
      const found = rows.filter(({ logger }) => logger === `hostile ${index}`)
      expect(found).toMatchObject([{ message: stored, attributes: { [`k${stored}`]: stored } }])
    },
  )

  it.each(Object.entries(TIMES))('keeps its time to the microsecond: %s', (message, [, timeUs]) => {
    expect(rowsWith(message).map((row) => row.timeUs)).toEqual([timeUs])
  })

  it('keeps its environment to the letter, and is marked where it has none', () => {
    const stored = rows
      .filter(({ message }) => message.startsWith('environment '))
      .map(({ message, environment, environment_defaulted }) => [message, environment, environment_defaulted])
    expect(stored.sort()).toEqual(
      [
        ['environment "Prod "', 'Prod ', false],
        ['environment "prod"', 'prod', false],
        ['environment "PROD"', 'PROD', false],
        ['environment " "', ' ', false],
        ['environment ""', 'production', true],
        ['environment undefined', 'production', true],
        ['environment null', 'production', true],
      ].sort(),
    )
    expect(rowsWith('an environment of its own')).toMatchObject([{ environment: 'Lab', environment_defaulted: true }])
  })

  it('stays with its project, although another project has the same', () => {
    const projects = rowsWith('the same in two projects').map(({ project }) => project)
    expect(projects.sort()).toEqual([shop.id, other.id].sort())
  })

  it('with a long message is cut within 64 KiB at a whole character and marked', () => {
    const [row] = rows.filter(({ message }) => message.startsWith('long é'))
    expect(row).toMatchObject({ truncated: true, message: `long ${'é'.repeat(32_765)}` })
  })

  it('with long names has them cut, but not its environment', () => {
    const row = { service: 's'.repeat(255), environment: 'e'.repeat(255), truncated: false }
    expect(rowsWith('long names')).toMatchObject([row])
  })

  it('may have attributes named like parts of the language', () => {
    const [row] = rowsWith('keys of the language')
    expect(Object.entries(row?.attributes ?? {})).toEqual([
      ['constructor', '1'],
      ['toString', '2'],
      ['nested.hasOwnProperty', '3'],
    ])
  })
})

describe('the answer', () => {
  it('names each record that was not taken, and takes the others', async () => {
    const batch = [{ message: 'good' }, { level: 'info' }, 7, { message: 'late', timestamp: '1999-01-01T00:00:00Z' }]
    const { status, text } = await sendRecords(other, batch)
    expect(status).toBe(200)
    expect(logsAnswer.parse(JSON.parse(text))).toMatchInlineSnapshot(`
      {
        "accepted": 1,
        "rejected": [
          {
            "index": 1,
            "reason": "A record needs a \`message\` or an \`error\`.",
          },
          {
            "index": 2,
            "reason": "A record must be a JSON object, not 7.",
          },
          {
            "index": 3,
            "reason": "The time "1999-01-01T00:00:00Z" is older than the project keeps records (30 days).",
          },
        ],
      }
    `)
  })

  it('counts lines that are no JSON as records', async () => {
    const body = '{"message":"good"}\n\nnot json\n{"message":"good too"}\n'
    const { status, text } = await send(other, { headers: { 'content-type': 'application/x-ndjson' }, body })
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({ accepted: 2, rejected: [{ index: 1, reason: 'Line 3 is not valid JSON.' }] })
  })

  it.each<[string, LogRequest, string]>([
    ['an empty array', json([]), '{"accepted":0,"rejected":[]}'],
    ['an object without logs in it', json({ logs: [] }), '{"accepted":0,"rejected":[]}'],
    ['no lines', { headers: { 'content-type': 'application/x-ndjson' }, body: '\n' }, '{"accepted":0,"rejected":[]}'],
    ['OTLP without records', json({ resourceLogs: [] }), '{}'],
    ['an empty protobuf', { headers: { 'content-type': 'application/x-protobuf' }, body: '' }, ''],
  ])('to %s is 200', async (_, request, text) => {
    expect(await send(shop, request)).toMatchObject({ status: 200, text })
  })

  it('lets a page of any origin send, without anything of the browser', async () => {
    const preflight = await fetch(`${service.url}/v1/logs`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-batch-id',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'content-encoding', 'x-api-key', 'x-batch-id']),
    )
    const good = await send(other, { ...json([]), headers: { ...json([]).headers, origin: 'https://shop.example' } })
    const bad = await send({ ...other, ingestKey: 'wrong' }, json([]))
    expect([good, bad].map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual(['*', '*'])
  })
})

describe('the key', () => {
  it.each<[string, (key: string) => Record<string, string>]>([
    ['as bearer token', (key) => ({ authorization: `Bearer ${key}` })],
    ['as bearer token in another letter case', (key) => ({ authorization: `bearer  ${key}` })],
    ['in X-Api-Key', (key) => ({ 'x-api-key': key })],
    ['as password of any user', (key) => ({ authorization: `Basic ${btoa(`fluentbit:${key}`)}` })],
  ])('is taken %s', async (_, headersOf) => {
    const headers = { 'content-type': 'application/json', ...headersOf(other.ingestKey) }
    const response = await fetch(`${service.url}/v1/logs`, { method: 'POST', headers, body: '{"message":"by key"}' })
    expect(await response.json()).toEqual({ accepted: 1, rejected: [] })
  })

  it.each(['application/json', 'text/plain'])('is taken from the body as %s, and is not stored', async (type) => {
    const body = JSON.stringify({ projectApiKey: other.ingestKey, logs: [{ message: `body key, ${type}` }] })
    const response = await fetch(`${service.url}/v1/logs`, { method: 'POST', headers: { 'content-type': type }, body })
    expect(await response.json()).toEqual({ accepted: 1, rejected: [] })
  })
})

describe('the lines of the README', () => {
  const readme = readFileSync(join(checkout, 'README.md'), 'utf8')
  const lines = [...readme.matchAll(/^curl [^\n]*(?:\n {2}[^\n]*)*/gm)].map(([line]) => line)

  const answers: Record<string, unknown> = {
    '/v1/logs': { accepted: 1, rejected: [] },
    '/v1/deploys': { created: true, deploy: { sha: expect.stringMatching(/^[0-9a-f]{40}$/) } },
    '/api/logs': { rows: expect.any(Array), window: { from: expect.any(String) } },
  }

  it.each(lines.map((line) => [/\/(?:v1|api)\/\w+/.exec(line)?.[0] ?? '', line] as const))(
    'work with curl: %s',
    async (path, line) => {
      const command = line.replace('http://localhost:4700', service.url)
      const env = {
        PATH: process.env.PATH,
        TIDEMARK_INGEST_KEY: other.ingestKey,
        TIDEMARK_READ_KEY: other.readKey,
      }
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { env, cwd: checkout })
      expect(JSON.parse(stdout)).toMatchObject(answers[path] as object)
    },
  )

  it('send a record, record a deploy, and read', () => expect(lines).toHaveLength(Object.keys(answers).length))
})

describe('a batch that was changed', () => {
  it('is refused under its old id and stored under a new one', async () => {
    const records = (second: string) => [{ message: 'changed, the first' }, { message: second }]
    const batch = (id: string, second: string): LogRequest => ({
      ...json(records(second)),
      headers: { 'content-type': 'application/json', 'x-batch-id': id },
    })
    expect(JSON.parse((await send(shop, batch('changed', ''))).text)).toMatchObject({ accepted: 1 })
    // Another node knows of it once it is loaded.
    if (isSeveralNodes) await settled(service)
    const refused = await send(shop, batch('changed', 'changed, mended'))
    expect(refused.status).toBe(409)
    expect(JSON.parse(refused.text).error).toMatchObject({
      code: 'batch_changed',
      message: expect.stringContaining('new batch id'),
    })
    const otlp = FORMATS['OTLP in protobuf']!('changed, otlp')
    const named = { ...otlp, headers: { ...otlp.headers, 'idempotency-key': 'changed' } }
    expect(await send(shop, named)).toMatchObject({ status: 409, text: expect.stringContaining('new batch id') })
    const again = await send(shop, batch('changed-2', 'changed, mended'))
    expect(again.text).toBe('{"accepted":2,"rejected":[]}')
    await settled(service)
    const rows = await engineRows(
      service.dataDir,
      `SELECT message, toUInt32(count()) AS records FROM logs WHERE startsWith(message, 'changed, ')
       GROUP BY message ORDER BY message`,
    )
    expect(rows).toEqual([
      { message: 'changed, mended', records: 1 },
      { message: 'changed, the first', records: 2 },
    ])
  })
})

describe('a repeated batch', () => {
  it('is stored once, sent one after the other or all at once, and only within its project', async () => {
    const batch = (message: string, header: string, id: string): LogRequest => ({
      ...json([{ message }, { message }]),
      headers: { 'content-type': 'application/json', [header]: id },
    })
    const sent = [
      await send(shop, batch('one by one', 'x-batch-id', 'a')),
      await send(shop, batch('one by one', 'idempotency-key', 'a')),
      await send(other, batch('one by one', 'x-batch-id', 'a')),
      await send(shop, batch('another id', 'x-batch-id', 'A')),
      ...(await Promise.all(Array.from({ length: 12 }, () => send(shop, batch('at once', 'x-batch-id', 'b:2.x_-'))))),
    ]
    expect(sent.map(({ text }) => text)).toEqual(sent.map(() => '{"accepted":2,"rejected":[]}'))
    await settled(service)
    const counts = await engineRows(
      service.dataDir,
      `SELECT message, project, toUInt32(count()) AS records FROM logs
       WHERE project IN ('${shop.id}', '${other.id}') AND message IN ('one by one', 'another id', 'at once')
       GROUP BY message, project ORDER BY message, project`,
    )
    expect(counts).toEqual([
      { message: 'another id', project: shop.id, records: 2 },
      { message: 'at once', project: shop.id, records: 2 },
      { message: 'one by one', project: shop.id, records: 2 },
      { message: 'one by one', project: other.id, records: 2 },
    ])
  })
})

describe('limits of a project', () => {
  it('on its rate answer 429 with a time to wait, store nothing of the request, and leave deploys alone', async () => {
    const slow = await createProject(service, 'slow', { maxRequestsPerSecond: 1 })
    const all = await Promise.all(Array.from({ length: 10 }, (_, i) => sendRecords(slow, [{ message: `rate ${i}` }])))
    const refused = all.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(5)
    for (const { text, headers } of refused) {
      expect(JSON.parse(text).error).toMatchObject({ code: 'rate_limited' })
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    expect((await deploy(slow)).status).toBe(201)
    const stored = await storedIn(slow)
    expect(stored).toBe(all.length - refused.length)
  })

  it('on its bytes let one large request through and then make it wait', async () => {
    const narrow = await createProject(service, 'narrow', { maxBytesPerSecond: 1_000 })
    const large = [{ message: 'x'.repeat(20_000) }]
    expect(await sendRecords(narrow, large, oneNode())).toMatchObject({ status: 200 })
    const { status, headers } = await sendRecords(narrow, [{ message: 'small' }], oneNode())
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(5)
  })

  it('on its month answer 429, store nothing more, and leave deploys alone', async () => {
    const small = await createProject(service, 'small', { monthlyQuotaRecords: 5 })
    const five = Array.from({ length: 5 }, (_, index) => ({ message: `quota ${index}` }))
    expect((await sendRecords(small, five, oneNode())).status).toBe(200)
    const { status, headers, text } = await sendRecords(small, [{ message: 'one too many' }], oneNode())
    expect([status, JSON.parse(text).error.code]).toEqual([429, 'quota_exceeded'])
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
    expect((await deploy(small)).status).toBe(201)
    expect(await storedIn(small)).toBe(5)
    await withControl(service, (control) =>
      control.projects.changeSettings(small.id, { monthlyQuotaRecords: 100 }, { by: 'operator', nowMs: Date.now() }),
    )
    expect((await sendRecords(small, [{ message: 'after the quota was raised' }])).status).toBe(200)
  })
})

describe('50,000 records in one request of 20 MiB', () => {
  it('are all stored, and the service answers others meanwhile', async () => {
    const bulk = await createProject(service, 'bulk')
    const line = (index: number) => `{"message":"record ${String(index).padStart(6, '0')} ${'x'.repeat(380)}"}`
    const body = Array.from({ length: 50_000 }, (_, index) => line(index)).join('\n')
    expect(body.length).toBeGreaterThan(19.5 * 1024 * 1024)
    let isDone = false
    const sending = send(bulk, { headers: { 'content-type': 'application/x-ndjson' }, body }).finally(() => {
      isDone = true
    })
    let answers = 0
    while (!isDone) {
      await (await fetch(`${service.url}/healthz`)).arrayBuffer()
      answers++
    }
    expect((await sending).text).toBe('{"accepted":50000,"rejected":[]}')
    expect(answers).toBeGreaterThan(10)
    expect(await storedIn(bulk)).toBe(50_000)
  })
})

function rowsWith(text: string): Row[] {
  return rows.filter(({ message }) => message === text)
}

function json(body: unknown): LogRequest {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

const sendRecords = (project: TestProject, records: unknown[], to = service) => send(project, json(records), to)
/** What is counted at the door is counted by each node for itself, at least for a moment: one of them is asked twice. */
const oneNode = () => service.nodes[0]!

async function send({ ingestKey }: TestProject, { headers, body }: LogRequest, to = service): Promise<Answer> {
  const response = await fetch(`${to.url}/v1/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ingestKey}`, ...headers },
    body: Buffer.from(body),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function deploy({ ingestKey }: TestProject): Promise<Response> {
  const body = { projectApiKey: ingestKey, sha: 'abc', environment: 'production', deployedAt: '2026-01-31T12:00:00Z' }
  return fetch(`${service.url}/v1/deploys`, { method: 'POST', ...json(body) } as RequestInit)
}

async function storedIn({ id }: TestProject): Promise<number> {
  await settled(service)
  const counts = `SELECT toUInt32(uniqExact(message)) AS distinct, toUInt32(count()) AS records FROM logs WHERE project = '${id}'`
  const [row] = await engineRows<{ distinct: number; records: number }>(service.dataDir, counts)
  expect(row?.distinct).toBe(row?.records)
  return row?.records ?? 0
}
