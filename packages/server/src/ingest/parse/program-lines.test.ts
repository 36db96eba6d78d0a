import { describe, expect, it } from 'vitest'
import { expectSame } from '../testing/both-ways.ts'
import { RECEIVED_US, readBody } from '../testing/read-body.ts'

const TIME = '2026-01-02T03:04:04.123456789Z'
const TIME_US = RECEIVED_US - 1_000_000 + 123_456
const docker = (log: string, more: object = {}) => ({ log, stream: 'stderr', time: TIME, ...more })
const NDJSON = { type: 'application/x-ndjson' }
const recordOf = (fields: object) => {
  const line = JSON.stringify(fields)
  expect(expectSame(line)).toBe(1)
  return readBody(line, NDJSON).records[0]!
}

describe('a line in `log`, as Docker and Fluent Bit send it', () => {
  it('loses its line end and nothing else', () => {
    expect(recordOf(docker('  payment failed \n'))).toMatchObject({
      timeUs: TIME_US,
      level: 'info',
      message: '  payment failed ',
      attributes: new Map([['stream', 'stderr']]),
    })
    expect(recordOf(docker('ERROR no\r\n'))).toMatchObject({ level: 'error', message: 'ERROR no' })
    expect(recordOf({ log: '\n' }).message).toBe('\n')
    expect(recordOf({ msg: 'm', log: 'kept\n' })).toMatchObject({
      message: 'm',
      attributes: new Map([['log', 'kept\n']]),
    })
  })

  it('of JSON is read like a record, before the fields around it', () => {
    const inner = { time: '2026-01-02T03:04:00Z', level: 'error', msg: 'no', service: 'cart', stream: 'mine', id: 7 }
    const around = { service: 'node', kubernetes: { pod_name: 'cart-1' }, projectApiKey: 'k', level: 'info' }
    expect(recordOf(docker(`${JSON.stringify(inner)}\n`, around))).toMatchObject({
      timeUs: TIME_US,
      level: 'error',
      message: 'no',
      service: 'cart',
      attributes: new Map<string, unknown>([
        ['stream', 'mine'],
        ['id', 7],
        ['stream#2', 'stderr'],
        ['service', 'node'],
        ['kubernetes.pod_name', 'cart-1'],
        ['level', 'info'],
        ['time', '2026-01-02T03:04:00Z'],
      ]),
    })
  })

  it('of JSON without a message is its own message', () => {
    expect(recordOf(docker('{"event":{"action":"login"}}\n'))).toMatchObject({
      message: '{"event":{"action":"login"}}',
      attributes: new Map([
        ['event.action', 'login'],
        ['stream', 'stderr'],
      ]),
    })
  })

  it.each(['{}', '{', '{"a":', '[1]', 'null', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`])(
    'of %s stays a text',
    (log) => {
      expect(recordOf({ log, attributes: { a: 1 } })).toMatchObject({ message: log, attributes: new Map([['a', 1]]) })
    },
  )

  it('is cleaned and redacted like other texts', () => {
    const { message, attributes } = recordOf(docker('{"msg":"a\\u0000","password":"hunter22","__proto__":{"x":1}}\n'))
    expect(message).toBe('a\ufffd')
    expect(attributes.get('password')).not.toContain('hunter22')
    expect('x' in {}).toBe(false)
  })

  it('is read in a list, in an Elasticsearch bulk and in a Loki line', () => {
    const fields = docker('{"level":"error","msg":"no"}\n')
    const text = JSON.stringify(fields)
    const bodies = [
      readBody(JSON.stringify([fields])),
      readBody(`{"create":{"_index":"a"}}\n${text}\n`, { type: '', sender: { protocol: 'elasticsearch', index: '' } }),
      readBody(JSON.stringify({ streams: [{ stream: {}, values: [[`${RECEIVED_US}000`, text]] }] }), {
        sender: { protocol: 'loki' },
      }),
    ]
    for (const { records } of bodies) expect(records).toMatchObject([{ level: 'error', message: 'no' }])
  })
})
