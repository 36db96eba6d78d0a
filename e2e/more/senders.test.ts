import { Client } from '@elastic/elasticsearch'
import { pino } from 'pino'
import pinoElasticsearch from 'pino-elasticsearch'
import { pinoLoki } from 'pino-loki'
import { beforeAll, describe, expect, it } from 'vitest'
import winston from 'winston'
import LokiTransport from 'winston-loki'
import { engineRows } from '../support/service/engine-query.ts'
import { createProject, type TestProject } from '../support/service/ingest-project.ts'
import { type Service, sharedService } from '../support/service/service.ts'
import { settled } from '../support/service/settled.ts'

/** Its types say that the function is the default of what is the function itself. */
const openPinoElasticsearch = pinoElasticsearch as unknown as typeof pinoElasticsearch.default

/** What each of them sends, in as few requests as it makes of it. */
const RECORDS = 10_000
const SENDERS = {
  'winston-loki, protobuf': sendWithWinston(false),
  'winston-loki, JSON': sendWithWinston(true),
  'pino-loki': sendWithPinoLoki,
  '@elastic/elasticsearch': sendWithClient,
  'pino-elasticsearch': sendWithPinoElasticsearch,
}
type Name = keyof typeof SENDERS
const NAMES = Object.keys(SENDERS) as Name[]

type Row = {
  sender: string
  records: string
  messages: string
  errors: string
  service: string
  environment: string
  /** Those with a time at which nobody sent anything. */
  odd: string
}

let service: Service
let project: TestProject
let rows: Row[]
let startedMs: number
let samples: Record<string, unknown>[]

beforeAll(async () => {
  service = await sharedService()
  project = await createProject(service, 'senders')
  startedMs = Date.now()
  for (const name of NAMES) await SENDERS[name](name)
  await settled(service)
  rows = await engineRows(
    service.dataDir,
    `SELECT extract(message, ' of (.*)$') AS sender, toString(count()) AS records, toString(uniqExact(message)) AS messages,
       toString(countIf(level = 'error')) AS errors, any(service) AS service, any(environment) AS environment,
       toString(countIf(time < fromUnixTimestamp64Milli(${startedMs}) OR time > fromUnixTimestamp64Milli(${Date.now()}))) AS odd
     FROM logs WHERE project = '${project.id}' GROUP BY sender`,
  )
  samples = await engineRows(
    service.dataDir,
    `SELECT message, level, service, environment, error_type, attributes FROM logs
     WHERE project = '${project.id}' AND message LIKE 'record 7 %'`,
  )
})

describe.each(NAMES)('%s', (name) => {
  it('brings every record once, with its level, service, environment and time', () => {
    expect(rows.filter(({ sender }) => sender === name)).toEqual([
      {
        sender: name,
        records: String(RECORDS),
        messages: String(RECORDS),
        errors: String(RECORDS / 10),
        service: 'shop',
        environment: 'staging',
        odd: '0',
      },
    ])
  })

  it('brings what a record says about itself', () => {
    const [sample] = samples.filter(({ message }) => message === `record 7 of ${name}`)
    expect(sample).toMatchObject({ level: 'info', attributes: { cart: '7' } })
  })
})

describe('the official client of Elasticsearch', () => {
  it('is told about the server, and per item what became of it', async () => {
    const client = elasticsearch(project.ingestKey)
    expect(await client.info()).toMatchObject({
      tagline: 'You Know, for Search',
      version: { number: expect.stringMatching(/^8\./) },
    })
    expect(await client.ping()).toBe(true)
    expect(await client.indices.existsIndexTemplate({ name: 'logs' })).toBe(true)
    const answer = await client.bulk({
      operations: [
        { create: { _index: 'logs-shop-staging', _id: 'one' } },
        { message: 'kept' },
        { delete: { _index: 'logs-shop-staging', _id: 'one' } },
        { index: { _index: 'logs-shop-staging' } },
        { message: 'too old', '@timestamp': '1999-01-01T00:00:00Z' },
      ],
    })
    expect(answer.errors).toBe(true)
    expect(answer.items.map((item) => Object.entries(item).map(([action, { status }]) => [action, status])[0])).toEqual(
      [
        ['create', 201],
        ['delete', 400],
        ['index', 400],
      ],
    )
    await client.close()
  })

  it('is refused with a wrong key, in words that it understands', async () => {
    const client = elasticsearch('tidemark_ingest_wrong')
    await expect(client.info()).rejects.toMatchObject({ statusCode: 401 })
    await expect(client.bulk({ operations: [{ create: { _index: 'a' } }, { message: 'x' }] })).rejects.toMatchObject({
      statusCode: 401,
      body: { error: { type: 'security_exception' } },
    })
    await client.close()
  })
})

function sendWithWinston(json: boolean) {
  return async (name: string) => {
    const failures: unknown[] = []
    const transport = new LokiTransport({
      host: service.url,
      basicAuth: `tidemark:${project.ingestKey}`,
      json,
      labels: { app: 'shop', env: 'staging' },
      format: winston.format.json(),
      gracefulShutdown: false,
      interval: 3_600,
      onConnectionError: (error) => failures.push(error),
    })
    const log = winston.createLogger({ transports: [transport] })
    forEachRecord((number, level) => log.log(level, `record ${number} of ${name}`, { cart: number }))
    await transport.close()
    expect(failures).toEqual([])
  }
}

async function sendWithPinoLoki(name: string): Promise<void> {
  const stream = pinoLoki({
    host: service.url,
    basicAuth: { username: 'tidemark', password: project.ingestKey },
    labels: { service_name: 'shop', deployment_environment: 'staging' },
    batching: { interval: 3_600, maxBufferSize: RECORDS },
  })
  const log = pino(stream)
  forEachRecord((number, level) => log[level]({ cart: number }, `record ${number} of ${name}`))
  await ended(stream)
}

async function sendWithClient(name: string): Promise<void> {
  const client = elasticsearch(project.ingestKey)
  const documents: object[] = []
  forEachRecord((number, level) =>
    documents.push({
      '@timestamp': new Date().toISOString(),
      message: `record ${number} of ${name}`,
      log: { level },
      cart: number,
    }),
  )
  const result = await client.helpers.bulk({
    datasource: documents,
    flushBytes: 5_000_000,
    onDocument: () => ({ create: { _index: 'logs-shop-staging' } }),
  })
  expect(result).toMatchObject({ successful: RECORDS, failed: 0, aborted: false })
  await client.close()
}

async function sendWithPinoElasticsearch(name: string): Promise<void> {
  const stream = openPinoElasticsearch({
    node: service.url,
    auth: { username: 'tidemark', password: project.ingestKey },
    index: 'logs-shop-staging',
    esVersion: 8,
    flushBytes: 5_000_000,
  })
  const inserted = new Promise((resolve, reject) => {
    stream.on('insert', resolve)
    stream.on('error', reject)
    stream.on('insertError', reject)
  })
  const log = pino(stream)
  forEachRecord((number, level) => log[level]({ cart: number }, `record ${number} of ${name}`))
  stream.end()
  expect(await inserted).toMatchObject({ successful: RECORDS, failed: 0 })
}

function elasticsearch(apiKey: string): Client {
  return new Client({ node: service.url, auth: { apiKey }, compression: true, maxRetries: 0 })
}

/** Every tenth is an error. */
function forEachRecord(send: (number: number, level: 'info' | 'error') => void): void {
  for (let number = 0; number < RECORDS; number++) send(number, number % 10 === 0 ? 'error' : 'info')
}

async function ended(stream: { end(): void; once(event: string, done: () => void): void }): Promise<void> {
  const closed = new Promise<void>((resolve) => stream.once('close', resolve))
  stream.end()
  await closed
}
