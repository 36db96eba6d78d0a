import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTidemark, currentContext, type Tidemark, type TidemarkOptions, withContext } from './index.ts'
import { HOSTILE_VALUES } from './testing/hostile-values.ts'
import { type Peer, type SentRecord, startPeer } from './testing/peer.ts'

let peer: Peer
let client: Tidemark

beforeAll(async () => {
  peer = await startPeer()
})
afterAll(() => peer.stop())
beforeEach(() => {
  client = create()
})
afterEach(async () => {
  await client.close()
})

function create(options: Partial<TidemarkOptions> = {}): Tidemark {
  return createTidemark({ ingestKey: 'tidemark_ingest_test', url: peer.url, ...options })
}

/** What the work logged. */
async function sent(work: () => unknown, from: Tidemark = client): Promise<SentRecord[]> {
  const before = peer.stored().length
  await work()
  expect(await from.flush()).toMatchObject({ ok: true })
  return peer.stored().slice(before)
}

describe('a log call', () => {
  it('sends time, level, message, attributes and what the options say of every record', async () => {
    const shop = create({
      service: 'shop',
      environment: 'Prod ',
      release: 'abc',
      host: 'h1',
      attributes: { region: 'eu' },
    })
    const before = Date.now()
    const records = await sent(() => shop.info('paid', { orderId: 7, nested: { a: [1] } }), shop)
    expect(records).toEqual([
      {
        timestamp: expect.any(Number),
        level: 'info',
        message: 'paid',
        service: 'shop',
        environment: 'Prod ',
        release: 'abc',
        host: 'h1',
        attributes: { region: 'eu', orderId: 7, nested: { a: [1] } },
      },
    ])
    expect(records[0].timestamp / 1_000).toBeGreaterThanOrEqual(before)
    await shop.close()
  })

  it.each(['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)('has the level %s', async (level) => {
    const records = await sent(() => {
      client[level]('by method')
      client.log(level, 'by name')
    })
    expect(records.map((record) => record.level)).toEqual([level, level])
  })

  it('below the level of the options is not sent', async () => {
    const quiet = create({ level: 'warn' })
    const records = await sent(() => {
      quiet.info('no')
      quiet.warn('yes')
    }, quiet)
    expect(records.map(({ message }) => message)).toEqual(['yes'])
    await quiet.close()
  })

  const boom = new TypeError('boom')
  const error = { type: 'TypeError', message: 'boom', stack: expect.stringMatching(/^TypeError: boom\n {4}at /) }
  it.each<[string, unknown[], SentRecord]>([
    ['(message)', ['m'], { message: 'm' }],
    ['(message, attributes)', ['m', { a: 1 }], { message: 'm', attributes: { a: 1 } }],
    ['(message, error)', ['m', boom], { message: 'm', error }],
    ['(message, error, attributes)', ['m', boom, { a: 1 }], { message: 'm', error, attributes: { a: 1 } }],
    ['(message, { err })', ['m', { err: boom, a: 1 }], { message: 'm', error, attributes: { a: 1 } }],
    ['(message, { error })', ['m', { error: boom }], { message: 'm', error }],
    ['(error)', [boom], { message: 'TypeError: boom', error }],
    ['(error, attributes)', [boom, { a: 1 }], { message: 'TypeError: boom', error, attributes: { a: 1 } }],
    ['(error, message)', [boom, 'm'], { message: 'm', error }],
    ['(error, message, attributes)', [boom, 'm', { a: 1 }], { message: 'm', error, attributes: { a: 1 } }],
    ['(attributes, message)', [{ a: 1 }, 'm'], { message: 'm', attributes: { a: 1 } }],
    ['(attributes)', [{ a: 1 }], { message: '{"a":1}', attributes: { a: 1 } }],
    ['(message, thrown text)', ['m', 'thrown'], { message: 'm', error: { type: '', message: 'thrown', stack: '' } }],
    ['(message, undefined)', ['m', undefined, { a: 1 }], { message: 'm', attributes: { a: 1 } }],
    ['()', [], { message: '(no message)' }],
    ['(empty message)', [''], { message: '(no message)' }],
  ])('understands error%s', async (_, call, expected) => {
    const [record] = await sent(() => (client.error as (...values: unknown[]) => void)(...call))
    // What the machine adds by itself, a CI system's variables included, is not what was said.
    const { message, error, attributes } = record
    expect({ message, error, attributes }).toEqual({ error: undefined, attributes: undefined, ...expected })
  })

  it.each(HOSTILE_VALUES)('never throws and always arrives: $name', async ({ make }) => {
    const value = make()
    const write = client.error as (...values: unknown[]) => void
    const records = await sent(() => {
      write('message first', value)
      write(value, 'message last')
      write('in attributes', { value })
      write(value)
      client.child({ value }).warn('in a child')
      client.child(value as never).warn('as a child')
      client.withContext({ value }, () => client.info('in a context'))
    })
    expect(records).toHaveLength(7)
    expect(records.every(({ message }) => typeof message === 'string' && message !== '')).toBe(true)
  })
})

describe('a child', () => {
  it('adds attributes, nearer ones win, and fields of the record are lifted', async () => {
    const child = client.child({ a: 1, b: 1, logger: 'billing' }).child({ b: 2, traceId: 't1' })
    const [record] = await sent(() => child.info('m', { c: 3, spanId: 's1' }))
    expect(record).toMatchObject({ logger: 'billing', traceId: 't1', spanId: 's1', attributes: { a: 1, b: 2, c: 3 } })
    expect(Object.keys(record.attributes)).toEqual(['a', 'b', 'c'])
  })
})

describe('a context', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

  it('is on every record of the work and of what it started, and not on others', async () => {
    const records = await sent(async () => {
      const work = client.withContext({ traceId: 't1', requestId: 'r1' }, async () => {
        client.info('before')
        await new Promise((resolve) => setTimeout(resolve, 10))
        client.child({ a: 1 }).info('after')
        return 'result'
      })
      client.info('outside')
      expect(await work).toBe('result')
    })
    expect(records.map(({ message, traceId, attributes }) => [message, traceId, attributes])).toEqual([
      ['before', 't1', { requestId: 'r1' }],
      ['outside', undefined, undefined],
      ['after', 't1', { requestId: 'r1', a: 1 }],
    ])
  })

  it('reads a traceparent header, gives it on, and inner contexts inherit it', async () => {
    const header = `00-${TRACE}-00f067aa0ba902b7-01`
    const [record] = await sent(() =>
      client.withContext({ traceparent: header }, () =>
        client.withContext({ step: 2 }, () => {
          expect(client.traceparent()).toBe(header)
          client.info('m')
        }),
      ),
    )
    expect(record).toMatchObject({ traceId: TRACE, spanId: '00f067aa0ba902b7', attributes: { step: 2 } })
  })

  it.each([undefined, 'garbage', ['garbage']])(
    'begins a trace of its own when the header is %j',
    async (traceparent) => {
      const records = await sent(() =>
        client.withContext({ traceparent }, () => {
          client.info('a')
          client.info('b')
        }),
      )
      expect(records[0].traceId).toMatch(/^[0-9a-f]{32}$/)
      expect(records[1].traceId).toBe(records[0].traceId)
    },
  )

  it('is shared with the functions of the package', () => {
    withContext({ traceId: 't2', a: 1 }, () => {
      expect(client.context()).toEqual({ traceId: 't2', a: 1 })
      expect(currentContext()).toBe(client.context())
      expect(client.traceparent()).toBeUndefined()
    })
    expect(currentContext()).toEqual({})
  })

  it('takes the trace of another library when there is no own', async () => {
    const traced = create({ traceContext: () => ({ traceId: 'otel', spanId: 'span' }) })
    const records = await sent(() => {
      traced.info('theirs')
      traced.withContext({ traceId: 'own' }, () => traced.info('ours'))
    }, traced)
    expect(records.map(({ traceId, spanId }) => [traceId, spanId])).toEqual([
      ['otel', 'span'],
      ['own', undefined],
    ])
    await traced.close()
  })
})

describe('a captured console', () => {
  it('still prints, sends, and is given back', async () => {
    const printed: unknown[][] = []
    const original = console.error
    const spy = (...values: unknown[]) => void printed.push(values)
    console.error = spy
    const capturing = create({ captureConsole: ['error'] })
    const failure = new Error('inner')
    const records = await sent(() => console.error('failed: %s after %d', failure, 3, { a: 1 }), capturing)
    expect(records).toMatchObject([
      {
        level: 'error',
        logger: 'console',
        message: 'failed: Error: inner after 3 { a: 1 }',
        error: { type: 'Error', message: 'inner' },
      },
    ])
    await capturing.close()
    console.error('not sent')
    expect(console.error).toBe(spy)
    expect(printed).toEqual([['failed: %s after %d', failure, 3, { a: 1 }], ['not sent']])
    console.error = original
  })

  it('does not hear the warnings of the SDK itself', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const refusing = await startPeer(() => ({ status: 401 }))
    const capturing = create({ url: refusing.url, captureConsole: true })
    capturing.info('x')
    await capturing.flush()
    capturing.info('y')
    await capturing.close()
    const lines = written.mock.calls.map(([text]) => String(text))
    written.mockRestore()
    await refusing.stop()
    expect(lines).toEqual([
      `tidemark: 1 record was refused and is lost. ${refusing.url}/v1/logs answered 401 Check ingestKey (TIDEMARK_INGEST_KEY): it is unknown, revoked or expired.\n`,
    ])
    expect(refusing.received.flatMap(({ records }) => records.map(({ message }) => message))).toEqual(['x', 'y'])
  })
})
