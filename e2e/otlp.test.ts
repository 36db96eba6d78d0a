import { setTimeout as sleep } from 'node:timers/promises'
import { type DiagLogger, diag, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engineRows } from './support/service/engine-query.ts'
import { createProject, type TestProject } from './support/service/ingest-project.ts'
import { type Service, sharedService } from './support/service/service.ts'
import { settled } from './support/service/settled.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'
const SECOND = Math.floor(Date.now() / 1_000) - 60

/** Each is made as its documentation shows: an address and headers, nothing else. */
const EXPORTERS = {
  'protobuf exporter': (config: ExporterConfig) => new ProtobufExporter(config),
  'JSON exporter': (config: ExporterConfig) => new JsonExporter(config),
  'protobuf exporter with gzip': (config: ExporterConfig) => new ProtobufExporter({ ...config, ...GZIP }),
  'JSON exporter with gzip': (config: ExporterConfig) => new JsonExporter({ ...config, ...GZIP }),
}
type ExporterConfig = { url: string; headers: Record<string, string> }
/** The SDK's own constant is in a package of its inside. */
const GZIP = { compression: 'gzip' as never }
const NAMES = Object.keys(EXPORTERS) as (keyof typeof EXPORTERS)[]

let service: Service
let project: TestProject
let rows: Record<string, unknown>[]
/** What the SDK tells whoever configured a logger for it. */
let complaints: string[] = []

beforeAll(async () => {
  diag.setLogger(listener())
  service = await sharedService()
  project = await createProject(service, 'shop')
  for (const name of NAMES) await exportWith(name, project.ingestKey, emitAll)
  expect(complaints).toEqual([])
  await settled(service)
  rows = await engineRows(
    service.dataDir,
    `SELECT toString(toUnixTimestamp64Micro(time)) AS timeUs, level, environment, service, host, logger, release,
       trace_id, span_id, message, error_type, error_message, error_stack, attributes
     FROM logs WHERE project = '${project.id}' ORDER BY time, message LIMIT 100`,
  )
})

beforeEach(() => {
  complaints = []
})

afterAll(() => diag.disable())

describe.each(NAMES)('what the %s of the SDK sends', (name) => {
  const rowOf = (message: string) => rows.filter((row) => row.message === `${name}: ${message}`)

  it('arrives with its time, severity, trace, scope, resource and attributes of every type', () => {
    expect(rowOf('card declined')).toEqual([
      {
        timeUs: `${SECOND}123456`,
        level: 'warn',
        environment: 'Staging ',
        service: 'shop',
        host: 'web-1',
        logger: 'checkout',
        release: '1.4.2',
        trace_id: TRACE_ID,
        span_id: SPAN_ID,
        message: `${name}: card declined`,
        error_type: '',
        error_message: '',
        error_stack: '',
        attributes: {
          'level.original': 'WARN2',
          text: 'plain ü 🚀',
          number_text: '"42"',
          whole: '42',
          negative: '-7',
          large: '9007199254740991',
          fraction: '0.25',
          yes: 'true',
          no: 'false',
          list: '["a","b"]',
          mixed: '[1,"a",true]',
          'nested.deep.er': '1',
          bytes: 'AQID',
          'otel.scope.version': '2.1.0',
          'service.namespace': 'eu',
        },
      },
    ])
  })

  it('arrives with its exception', () => {
    const [row] = rowOf('payment failed')
    expect(row).toMatchObject({ level: 'error', error_type: 'TypeError', error_message: 'card is null' })
    expect(row?.error_stack).toMatch(/^TypeError: card is null\n {4}at .*otlp\.test\.ts/)
    expect(Object.keys(row?.attributes ?? {})).not.toContainEqual(expect.stringContaining('exception'))
  })

  it('arrives with a body that is an object', () => {
    expect(rowOf('structured')).toMatchObject([{ level: 'info', attributes: { 'body.cart.items': '3' } }])
  })
})

describe('an exporter is told', () => {
  it.each(NAMES.slice(0, 2))('by the %s how many records were not taken and why', async (name) => {
    await exportWith(name, project.ingestKey, (logger) => {
      logger.emit({ body: 'good', severityNumber: SeverityNumber.INFO })
      logger.emit({ body: 'from another century', timestamp: new Date('1999-01-01T00:00:00Z') })
    })
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toMatch(/^warn: Received Partial Success response: .*"rejectedLogRecords":"?1\b/)
    expect(complaints[0]).toContain('record 1: The time ')
    expect(complaints[0]).toContain('is older than the project keeps records (30 days).')
  })

  it.each(NAMES.slice(0, 2))('by the %s that its key is wrong, once, without trying again', async (name) => {
    await exportWith(name, 'tidemark_ingest_wrong', (logger) => logger.emit({ body: 'never stored' }))
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toMatch(/^error: /)
    expect(complaints[0]).toMatch(/401|Unauthorized/)
  })
})

describe('other signals', () => {
  it.each(['traces', 'metrics'])('such as %s are answered as taken, with a key that sends logs', async (signal) => {
    const send = (key: string) =>
      fetch(`${service.url}/v1/${signal}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-protobuf',
          'content-encoding': 'gzip',
          authorization: `Bearer ${key}`,
        },
        body: Buffer.from('anything'),
      })
    const taken = await send(project.ingestKey)
    expect([taken.status, await taken.text()]).toEqual([200, ''])
    expect((await send('tidemark_ingest_wrong')).status).toBe(401)
  })
})

type Logger = ReturnType<LoggerProvider['getLogger']>

/** Through the processor that everybody uses, until all is sent or given up. */
async function exportWith(name: keyof typeof EXPORTERS, key: string, emit: (logger: Logger, name: string) => void) {
  const exporter = EXPORTERS[name]({ url: `${service.url}/v1/logs`, headers: { Authorization: `Bearer ${key}` } })
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({
      'service.name': 'shop',
      'service.namespace': 'eu',
      'service.version': '1.4.2',
      'deployment.environment.name': 'Staging ',
      'host.name': 'web-1',
    }),
    processors: [new BatchLogRecordProcessor({ exporter })],
  })
  emit(provider.getLogger('checkout', '2.1.0'), name)
  await provider.shutdown().catch((error: unknown) => complaints.push(`rejected: ${String(error)}`))
  await sleep(0) // the SDK reports after it has answered
}

function emitAll(logger: Logger, name: string): void {
  logger.emit({
    timestamp: [SECOND, 123_456_789],
    severityNumber: SeverityNumber.WARN2,
    severityText: 'WARN2',
    body: `${name}: card declined`,
    context: trace.setSpanContext(ROOT_CONTEXT, { traceId: TRACE_ID, spanId: SPAN_ID, traceFlags: 1 }),
    attributes: {
      text: 'plain ü 🚀',
      number_text: '42',
      whole: 42,
      negative: -7,
      large: Number.MAX_SAFE_INTEGER,
      fraction: 0.25,
      yes: true,
      no: false,
      list: ['a', 'b'],
      mixed: [1, 'a', true],
      nested: { deep: { er: 1 } },
      bytes: Uint8Array.of(1, 2, 3),
    },
  })
  logger.emit({
    severityNumber: SeverityNumber.ERROR,
    severityText: 'ERROR',
    body: `${name}: payment failed`,
    exception: new TypeError('card is null'),
  })
  logger.emit({
    severityNumber: SeverityNumber.INFO,
    body: { message: `${name}: structured`, cart: { items: 3 } },
  })
}

function listener(): DiagLogger {
  const note =
    (level: string) =>
    (...words: unknown[]) => {
      complaints.push(`${level}: ${words.join(' ')}`)
    }
  return { error: note('error'), warn: note('warn'), info: () => {}, debug: () => {}, verbose: () => {} }
}
