import { describe, expect, it } from 'vitest'
import { accepted, attributesOf } from '../testing/normalized.ts'
import { RECEIVED_US } from '../testing/read-body.ts'

describe('a full record', () => {
  it('keeps every field as it was sent', () => {
    expect(
      accepted({
        message: 'hello',
        timestamp: '2026-01-02T03:04:04.123456Z',
        level: 'warn',
        environment: ' Staging ',
        service: 'api',
        host: 'h1',
        logger: 'db',
        release: '1.2.3',
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        spanId: '00f067aa0ba902b7',
        error: { type: 'E', message: 'm', stack: 's' },
        attributes: { a: 1, b: { c: true, d: { e: null } }, list: [1, { x: 2 }], 'f.g': 'text' },
      }),
    ).toEqual({
      timeUs: RECEIVED_US - 876_544,
      level: 'warn',
      environment: ' Staging ',
      environmentDefaulted: false,
      service: 'api',
      host: 'h1',
      logger: 'db',
      release: '1.2.3',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      message: 'hello',
      truncated: false,
      error: { type: 'E', message: 'm', stack: 's' },
      attributes: new Map<string, unknown>([
        ['a', 1],
        ['b.c', true],
        ['b.d.e', null],
        ['list', '[1,{"x":2}]'],
        ['f.g', 'text'],
      ]),
    })
  })

  it('needs nothing but a message', () => {
    expect(accepted({ message: 'hello' })).toMatchObject({
      timeUs: RECEIVED_US,
      level: 'info',
      environment: 'production',
      environmentDefaulted: true,
      service: '',
      error: null,
      attributes: new Map(),
    })
  })
})

describe('names other shippers use', () => {
  it.each([
    ['message', ['message', 'msg', 'body', 'log', 'text', 'event', '@m', 'Message', 'short_message']],
    ['environment', ['environment', 'env', 'deployment.environment', 'deployment.environment.name']],
    ['service', ['service', 'service.name', 'service_name', 'app', 'application']],
    ['host', ['host', 'hostname', 'host.name']],
    ['logger', ['logger', 'logger.name', 'log.logger', 'logger_name', 'scope']],
    ['release', ['release', 'version', 'service.version']],
    ['traceId', ['traceId', 'trace_id', 'trace.id', 'otelTraceID', 'dd.trace_id']],
    ['spanId', ['spanId', 'span_id', 'span.id', 'otelSpanID', 'dd.span_id']],
  ] as const)('understands %s under each of its names', (field, names) => {
    for (const name of names) {
      const record = accepted({ ...(field === 'message' ? {} : { message: 'm' }), [name]: 'value' })
      expect(record[field], name).toBe('value')
      expect(record.attributes.size, name).toBe(0)
    }
  })

  it.each(['timestamp', '@timestamp', 'time', 'ts', 'date', 'datetime', 'eventTime', '_time', 'dt', '@t'])(
    'understands a time under %s',
    (name) => {
      expect(accepted({ message: 'm', [name]: '2026-01-01T00:00:00Z' }).timeUs).toBe(Date.parse('2026-01-01') * 1_000)
    },
  )

  it.each(['level', 'severity', 'lvl', 'level_name', 'levelname', 'log.level', 'status', '@l'])(
    'understands a level under %s',
    (name) => {
      expect(accepted({ message: 'm', [name]: 'Error' })).toMatchObject({ level: 'error', attributes: new Map() })
    },
  )

  it.each([
    'stack',
    'stack_trace',
    'stacktrace',
    'exc_info',
    'error.stack',
    'exception.stacktrace',
    'err',
    'exception',
    '@x',
  ])('understands a stack under %s', (name) => {
    const stack = 'TypeError: x\n    at a (b.js:1:2)'
    expect(accepted({ message: 'm', [name]: stack })).toMatchObject({
      error: { type: 'TypeError', message: 'x', stack },
      attributes: new Map(),
    })
  })

  it('believes the first name of the documented order and keeps the others', () => {
    expect(accepted({ body: 'b', msg: 'm', message: 'first' })).toMatchObject({
      message: 'first',
      attributes: new Map([
        ['msg', 'm'],
        ['body', 'b'],
      ]),
    })
  })

  it('reads nested names like dotted ones', () => {
    const record = accepted({
      '@timestamp': '2026-01-02T00:00:00Z',
      message: 'm',
      log: { level: 'error', logger: 'app', origin: { file: 'a.js' } },
      service: { name: 'api', version: '2', node: { name: 'n1' } },
      host: { name: 'h', ip: ['10.0.0.1'] },
      trace: { id: 't' },
      error: { type: 'E', message: 'm', stack_trace: 's', code: 7 },
    })
    expect(record).toMatchObject({
      level: 'error',
      logger: 'app',
      service: 'api',
      release: '2',
      host: 'h',
      traceId: 't',
    })
    expect(record.error).toEqual({ type: 'E', message: 'm', stack: 's' })
    expect(Object.fromEntries(record.attributes)).toEqual({
      'log.origin.file': 'a.js',
      'service.node.name': 'n1',
      'host.ip': '["10.0.0.1"]',
      'error.code': 7,
    })
  })

  it('reads a line of pino', () => {
    const record = accepted({
      level: 50,
      time: 1_767_323_045_000,
      pid: 7,
      hostname: 'h',
      name: 'app',
      msg: 'boom',
      err: { type: 'Error', message: 'x', stack: 'Error: x\n    at a (b.js:1:1)', code: 'E1' },
    })
    expect(record).toMatchObject({
      level: 'error',
      host: 'h',
      logger: 'app',
      message: 'boom',
      error: { type: 'Error', message: 'x' },
    })
    expect(Object.fromEntries(record.attributes)).toEqual({ pid: 7, 'err.code': 'E1' })
  })

  it('leaves names alone that mean something else', () => {
    expect(
      attributesOf({
        message: 'm',
        name: 'Bob',
        status: 'failed',
        event: { id: 1 },
        date: 'tomorrow',
        env: { PATH: '/bin' },
        time: 0.25,
        scope: ['a'],
      }),
    ).toEqual({
      name: 'Bob',
      status: 'failed',
      'event.id': 1,
      date: 'tomorrow',
      'env.PATH': '/bin',
      time: 0.25,
      scope: '["a"]',
    })
  })

  it('understands dotted names inside attributes, but believes the record first', () => {
    const record = accepted({
      message: 'm',
      service: 'own',
      attributes: { 'service.name': 'other', 'host.name': 'h', error: { message: 'x', type: 'E' } },
    })
    expect(record).toMatchObject({ service: 'own', host: 'h', error: { type: 'E', message: 'x', stack: '' } })
    expect(Object.fromEntries(record.attributes)).toEqual({ 'service.name': 'other' })
  })

  it('keeps a text called error among the attributes where it is', () => {
    expect(accepted({ message: 'm', attributes: { error: 'refused' } })).toMatchObject({ error: null })
  })

  it('never stores the project key of the body', () => {
    expect(attributesOf({ message: 'm', projectApiKey: 'tidemark_ingest_x' })).toEqual({})
  })
})

describe('errors', () => {
  it('takes an error instead of a message', () => {
    expect(accepted({ error: { type: 'E', message: 'm' } }).message).toBe('E: m')
    expect(accepted({ error: 'refused' })).toMatchObject({ message: 'refused', error: { message: 'refused' } })
  })

  it('finds a stack in the message and leaves the message whole', () => {
    const message = 'failed: TypeError: x\n    at a (b.js:1:2)'
    expect(accepted({ message })).toMatchObject({ message, error: { type: 'TypeError', message: 'x', stack: message } })
  })

  it('finds a stack in any attribute', () => {
    const text = 'TypeError: x\n    at a (b.js:1:2)'
    const record = accepted({ message: 'm', attributes: { detail: { dump: text } } })
    expect(record.error?.type).toBe('TypeError')
    expect(record.attributes.get('detail.dump')).toBe(text)
  })

  it('puts an error together from flat names', () => {
    expect(accepted({ message: 'm', 'error.type': 'E', 'error.message': 'x', 'error.stack': 's' }).error).toEqual({
      type: 'E',
      message: 'x',
      stack: 's',
    })
  })

  it('does not make an error of a type alone', () => {
    expect(accepted({ message: 'm', 'error.type': 'timeout' })).toMatchObject({
      error: null,
      attributes: new Map([['error.type', 'timeout']]),
    })
  })
})
