import { describe, expect, it } from 'vitest'
import { accepted, attributesOf, normalize } from '../testing/normalized.ts'
import { RECEIVED_US } from '../testing/read-body.ts'
import { RecordDraft } from './record-draft.ts'

function reason(value: unknown): string {
  const result = normalize(value)
  if (typeof result !== 'string') throw new Error('Accepted.')
  return result
}

describe('wrong types', () => {
  it.each([
    [{ message: 42 }, { message: '42' }],
    [{ message: false }, { message: 'false' }],
    [{ message: { a: 1 } }, { message: '{"a":1}' }],
    [{ message: [1] }, { message: '[1]' }],
    [
      { message: 'm', level: 'loud' },
      { level: 'info', attributes: new Map([['level.original', 'loud']]) },
    ],
    [
      { message: 'm', level: 9 },
      { level: 'info', attributes: new Map([['level.original', 9]]) },
    ],
    [
      { message: 'm', level: { a: 1 } },
      { level: 'info', attributes: new Map([['level.original', '{"a":1}']]) },
    ],
    [
      { message: 'm', level: ['x'] },
      { level: 'info', attributes: new Map([['level.original', '["x"]']]) },
    ],
    [
      { message: 'm', environment: '' },
      { environment: 'production', environmentDefaulted: true },
    ],
    [
      { message: 'm', environment: null },
      { environment: 'production', environmentDefaulted: true },
    ],
    [{ message: 'm', timestamp: null }, { timeUs: RECEIVED_US }],
    [{ message: 'm', service: 7 }, { service: '7' }],
    [{ message: 'm', service: true }, { service: 'true' }],
    [
      { message: 'm', service: ['a'] },
      { service: '', attributes: new Map([['service', '["a"]']]) },
    ],
    [
      { message: 'm', host: {} },
      { host: '', attributes: new Map([['host', '{}']]) },
    ],
    [
      { message: 'm', logger: null },
      { logger: '', attributes: new Map() },
    ],
    [{ message: 'm', release: 1.5 }, { release: '1.5' }],
    [{ message: 'm', traceId: 7 }, { traceId: '7' }],
    [
      { message: 'm', spanId: ['a'] },
      { spanId: '', attributes: new Map([['spanId', '["a"]']]) },
    ],
    [
      { message: 'm', error: true },
      { error: null, attributes: new Map([['error', true]]) },
    ],
    [
      { message: 'm', error: { code: 7 } },
      { error: null, attributes: new Map([['error.code', 7]]) },
    ],
    [
      { message: 'm', error: ['a'] },
      { error: null, attributes: new Map([['error', '["a"]']]) },
    ],
    [{ message: 'm', attributes: 'x' }, { attributes: new Map([['attributes', 'x']]) }],
    [{ message: 'm', attributes: [1] }, { attributes: new Map([['attributes', '[1]']]) }],
    [{ message: 'm', attributes: null }, { attributes: new Map([['attributes', null]]) }],
  ])('takes %j', (value, expected) => {
    expect(accepted(value)).toMatchObject(expected)
  })

  it.each([
    [{}, 'A record needs a `message` or an `error`.'],
    [{ message: '' }, 'A record needs a `message` or an `error`.'],
    [{ message: null }, 'A record needs a `message` or an `error`.'],
    [{ message: 'm', environment: 7 }, '`environment` must be a text, not 7.'],
    [{ message: 'm', environment: ['prod'] }, '`environment` must be a text, not ["prod"].'],
    [{ message: 'm', timestamp: true }, 'The time "true" in `timestamp` is not understood. Send RFC 3339 or an epoch.'],
    [{ message: 'm', timestamp: {} }, 'The time "{}" in `timestamp` is not understood. Send RFC 3339 or an epoch.'],
    [
      { message: 'm', time: '2026-02-30T00:00:00Z' },
      'The time "2026-02-30T00:00:00Z" in `time` is not understood. Send RFC 3339 or an epoch.',
    ],
    [
      { message: 'm', timestamp: 'x'.repeat(100) },
      `The time "${'x'.repeat(40)}…" in \`timestamp\` is not understood. Send RFC 3339 or an epoch.`,
    ],
    [
      { message: 'm', timestamp: '2026-01-03T03:04:06Z' },
      'The time "2026-01-03T03:04:06Z" is more than 24 hours ahead: check the clock of the sender.',
    ],
    [
      { message: 'm', timestamp: '2025-12-03T03:04:04Z' },
      'The time "2025-12-03T03:04:04Z" is older than the project keeps records (30 days).',
    ],
    ['text', 'A record must be a JSON object, not text.'],
    [null, 'A record must be a JSON object, not null.'],
    [[], 'A record must be a JSON object, not [].'],
  ])('rejects %j', (value, expected) => {
    expect(reason(value)).toBe(expected)
  })
})

describe('limits', () => {
  it('cuts a message at 64 KiB without breaking a character, and marks it', () => {
    const record = accepted({ message: `a${'é'.repeat(40_000)}` })
    expect(record.truncated).toBe(true)
    expect(Buffer.byteLength(record.message)).toBe(64 * 1024 - 1)
    expect(record.message.endsWith('é')).toBe(true)
    expect(accepted({ message: 'x'.repeat(64 * 1024) }).truncated).toBe(false)
  })

  it('rejects a record above 256 KiB, counted as it was sent', () => {
    expect(reason({ message: 'x'.repeat(256 * 1024 + 1) })).toBe(
      'The record holds more than 256 KiB: send less with it.',
    )
    expect(reason({ message: 'm', attributes: { a: 'é'.repeat(131_073) } })).toBe(
      'The record holds more than 256 KiB: send less with it.',
    )
    expect(accepted({ message: 'm', attributes: { a: 'x'.repeat(200_000) } }).attributes.size).toBe(1)
  })

  it('rejects the 257th attribute', () => {
    const attributes = Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`k${index}`, index]))
    expect(reason({ message: 'm', attributes })).toBe('The record has 257 attributes; at most 256 are allowed.')
    delete attributes.k0
    expect(accepted({ message: 'm', attributes }).attributes.size).toBe(256)
  })

  it('rejects a key above 128 bytes, counted over its whole path', () => {
    expect(reason({ message: 'm', attributes: { a: { ['k'.repeat(127)]: 1 } } })).toContain(
      'has more than 128 bytes: shorten it.',
    )
    expect(reason({ message: 'm', attributes: { ['é'.repeat(65)]: 1 } })).toContain(
      'has more than 128 bytes: shorten it.',
    )
    expect(accepted({ message: 'm', attributes: { ['k'.repeat(128)]: 1 } }).attributes.size).toBe(1)
  })

  it('rejects attributes nested deeper than 8 levels, in objects and in arrays', () => {
    const nest = (levels: number): unknown => (levels === 0 ? 1 : { a: nest(levels - 1) })
    const list = (levels: number): unknown => (levels === 0 ? 1 : [list(levels - 1)])
    expect(accepted({ message: 'm', attributes: nest(8) }).attributes.get('a.a.a.a.a.a.a.a')).toBe(1)
    expect(reason({ message: 'm', attributes: nest(9) })).toContain('nested deeper than 8 levels')
    expect(accepted({ message: 'm', attributes: { a: list(7) } }).attributes.size).toBe(1)
    expect(reason({ message: 'm', attributes: { a: list(8) } })).toContain('nested deeper than 8 levels')
  })

  it('rejects a long environment and cuts the other names', () => {
    expect(reason({ message: 'm', environment: 'e'.repeat(256) })).toContain('more than 255 characters')
    expect(accepted({ message: 'm', environment: 'e'.repeat(255) }).environment).toHaveLength(255)
    const long = 'n'.repeat(300)
    const record = accepted({ message: 'm', service: long, host: long, logger: long, release: long, traceId: long })
    for (const field of ['service', 'host', 'logger', 'release', 'traceId'] as const)
      expect(record[field]).toHaveLength(255)
    expect(accepted({ message: 'm', service: `${'n'.repeat(254)}😀` }).service).toBe('n'.repeat(254))
  })
})

describe('odd text', () => {
  it('replaces NUL and lone surrogates in text, and keeps real pairs', () => {
    const record = accepted({
      message: 'a\0b\ud800c😀',
      service: '\udfff',
      attributes: { k: '\0', '\ud800': 'x' },
      error: { message: '\0', stack: '\ud800' },
    })
    expect(record).toMatchObject({
      message: 'a\ufffdb\ufffdc😀',
      service: '\ufffd',
      error: { message: '\ufffd', stack: '\ufffd' },
    })
    expect([...record.attributes]).toEqual([
      ['k', '\ufffd'],
      ['\ufffd', 'x'],
    ])
  })

  it('refuses them in an environment', () => {
    expect(reason({ message: 'm', environment: 'prod\0' })).toContain('NUL')
    expect(reason({ message: 'm', environment: 'prod\ud83d' })).toContain('NUL')
    expect(accepted({ message: 'm', environment: '😀' }).environment).toBe('😀')
  })

  it('treats __proto__ and constructor as plain keys', () => {
    const value = JSON.parse(
      '{"message":"m","__proto__":{"polluted":1},"attributes":{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}}',
    )
    expect(attributesOf(value)).toEqual({ '__proto__.polluted': 1, '__proto__.x': 1, 'constructor.prototype.y': 2 })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('loses nothing when two paths flatten to one key', () => {
    expect(attributesOf({ message: 'm', attributes: { 'a.b': 1, a: { b: 2 } } })).toEqual({ 'a.b': 1, 'a.b#2': 2 })
  })

  it('finds a free name at once, however often one comes', () => {
    const draft = new RecordDraft(0)
    for (let number = 1; number <= 200_000; number++) draft.keep('a', number, 1)
    expect([...draft.attributes.entries()].at(-1)).toEqual(['a#200000', 200_000])
  })

  it('hides a secret that a cut would have split', () => {
    const secret = `npm${'_'}${'a1B2'.repeat(9)}`
    const message = `${'x'.repeat(64 * 1024 - 20)} ${secret}`
    expect(accepted({ message }).message).not.toContain('npm_')
  })
})
