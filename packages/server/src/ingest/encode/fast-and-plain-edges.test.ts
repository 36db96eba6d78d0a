/** The fast path against the plain one where the two are most likely to differ: at limits, and where names and rules meet. */
import { DAY_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import { compileRedaction } from '../../redaction/redact.ts'
import { NO_REDACTION_CHANGES, type RedactionSettings } from '../../redaction/settings.ts'
import { SEEDS } from '../../testing/seeded-secrets.ts'
import { encodedSame, expectSame } from '../testing/both-ways.ts'
import { RECEIVED_US } from '../testing/read-body.ts'
import { isTakenFast, takenFastOfJson } from '../testing/taken-fast.ts'

const JSON_BODY = { type: 'application/json' }
const RETENTION_DAYS = 30
const USUAL = '{"message":"m","service":"cart","attributes":{"n":1}}'

describe('the fast path and the plain path agree', () => {
  it.each([
    ['the furthest ahead', RECEIVED_US + DAY_US, 1, 1],
    ['the oldest', RECEIVED_US - RETENTION_DAYS * DAY_US, -1, 1],
  ])('about the time %s', (_, edgeUs, outwards, accepted) => {
    for (const [offsetUs, expected] of [
      [-outwards, accepted],
      [0, accepted],
      [outwards, 0],
    ] as const) {
      const timeUs = edgeUs + offsetUs
      const iso = `{"message":"m","timestamp":"${isoOf(timeUs)}"}`
      expect(expectSame(iso), iso).toBe(expected)
      expect(isTakenFast(iso), iso).toBe(expected === 1)
      expect(expectSame(`{"message":"m","timestamp":${timeUs}}`), `${timeUs}`).toBe(expected)
      expect(expectSame(`{"message":"m","ts":"${timeUs}"}`), `${timeUs}`).toBe(expected)
    }
    // In milliseconds a number has few enough digits for the fast path.
    const edgeMs = edgeUs / 1_000
    for (const [timeMs, expected] of [
      [edgeMs - outwards, accepted],
      [edgeMs, accepted],
      [edgeMs + outwards, 0],
    ] as const) {
      const epoch = `{"message":"m","time":${timeMs}}`
      expect(expectSame(epoch), epoch).toBe(expected)
      expect(isTakenFast(epoch), epoch).toBe(expected === 1)
    }
  })

  it.each([
    ['2026-01-02 03:04:05 WARN slow', true],
    ['[2026-01-02 03:04:05] größe', true],
    ['level=debug msg=slow', true],
    ['E, no level', true],
    ['GET /error', true],
    ['no ERROR found', true],
    ['1:M 02 Jan 2026 03:04:05.678 # slow', true],
    ['ERROR payment failed', false],
    ['level=error msg=no', false],
    ['E0102 03:04:05.678901 7 a.go:1] no', false],
    ['Error: no', false],
  ])('about the level that the message %j states', (message, isFast) => {
    const line = JSON.stringify({ message, service: 'cart' })
    expect(expectSame(line)).toBe(1)
    expect(isTakenFast(line)).toBe(isFast)
    expect(expectSame(JSON.stringify({ message, level: 'info' }))).toBe(1)
    expect(isTakenFast(JSON.stringify({ message, level: 'info' }))).toBe(true)
    const otlp = JSON.stringify({
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: message } }] }] }],
    })
    expect(expectSame(otlp, JSON_BODY)).toBe(1)
    expect(takenFastOfJson(otlp)).toBe(isFast ? 1 : 0)
  })

  it.each([
    [64, 1, true],
    [65, 1, false],
    [256, 1, false],
    [257, 0, false],
  ])('about %i attributes', (count, accepted, isFast) => {
    const members = Array.from({ length: count }, (_, number) => `"a${number}":${number}`).join()
    for (const line of [`{"message":"m",${members}}`, `{"message":"m","attributes":{${members}}}`]) {
      expect(expectSame(line)).toBe(accepted)
      expect(isTakenFast(line)).toBe(isFast)
    }
  })

  it.each([
    '{"message":"m","trace":{"id":"4bf92f3577b34da6a3ce929d0e0e4736"},"span":{"id":"00f067aa0ba902b7"}}',
    '{"message":"m","attributes":{"trace":{"id":"4bf92f35"},"trace_id":"00f067aa"}}',
    '{"message":"m","traceId":"4bf92f35","trace":{"id":"00f067aa"}}',
    '{"message":"m","log":{"level":"warn","logger":"a.b"}}',
    '{"log":{"message":"m","level":"debug"}}',
    '{"message":"m","log":{"level":"warn"},"level":"info"}',
    '{"message":"m","deployment":{"environment":{"name":"staging"}}}',
    '{"message":"m","deployment":{"environment":"staging"}}',
    '{"message":"m","attributes":{"deployment":{"environment":{"name":"staging"}}},"env":"test"}',
    '{"message":"m","service":{"name":"cart","version":"1.2"}}',
    '{"message":"m","attributes":{"service":{"name":"cart"}},"service":"shop"}',
    '{"message":"m","attributes":{"service":{"name":"cart","version":"1.2","node":{"name":"n1"}}}}',
    '{"message":"m","host":{"name":"h1"},"dd":{"service":"cart","trace_id":"7","span_id":"8"}}',
    '{"message":"m","otel":{"scope":{"name":"a"}},"logger":{"name":"b"}}',
    '{"message":"m","a":{"b":1},"a.b":2}',
    '{"message":"m","a.b":2,"a":{"b":1}}',
    '{"message":"m","attributes":{"a":{"b":1},"a.b":2},"a":{"b":3}}',
    '{"message":"m","a":{"b":{"c":1}},"a.b":{"c":2},"a":{"b.c":3}}',
  ])('about %s', (line) => {
    expect(expectSame(line)).toBe(1)
    expect(expectSame(`[${line},${line}]`, JSON_BODY)).toBe(2)
  })

  it.each([
    [32 * 1024, true],
    [32 * 1024 + 1, false],
    [32 * 1024 + 2, false],
  ])('about a record of %i bytes', (bytes, isFast) => {
    for (const [before, filling, behind] of [
      ['{"message":"', 'x', '"}'],
      ['{"message":"m","a":"', 'x', '"}'],
      ['{"message":"m"', ' ', '}'],
    ] as const) {
      const line = before + filling.repeat(bytes - before.length - behind.length) + behind
      expect(isTakenFast(line)).toBe(isFast)
      expect(expectSame(`${USUAL}\n${line}\n${USUAL}`)).toBe(3)
    }
  })

  it('about names that come after all were forgotten', () => {
    const lines = Array.from(
      { length: 3_000 },
      (_, number) =>
        `{"message":"m","service":"s","n${number}":1,"p${number % 50}":{"id":${number},"trace_id":"a"},"level":"warn"}`,
    )
    // The random seed may leave a name without a place in the table.
    expect(lines.filter((line) => isTakenFast(line)).length).toBeGreaterThan(2_900)
    expect(expectSame(lines.join('\n'))).toBe(lines.length)
    expect(expectSame(`[${lines}]`, JSON_BODY)).toBe(lines.length)
  })

  it('about how long a record is kept by the rules of its project', () => {
    const project = {
      defaultEnvironment: 'production',
      retentionDays: 30,
      retentionRules: [
        { levels: null, service: 'größe "x"', environment: null, days: 400 },
        { levels: ['debug', 'trace'] as const, service: null, environment: 'production', days: 3 },
        { levels: null, service: null, environment: 'staging', days: 7 },
      ],
    }
    /** How many days after its own it goes; null when it is too old already. */
    const daysOf = (record: object, at = '2026-01-01T12:00:00Z') => {
      const encoded = encodedSame(JSON.stringify({ timestamp: at, message: 'm', ...record }), { project })!
      if (encoded.accepted === 0) return encoded.rejected[0]?.reason
      return Buffer.from(encoded.rows).readUInt16LE(encoded.rows.length - 2) - encoded.days[0]![0] - 1
    }
    expect(daysOf({})).toBe(30)
    expect(daysOf({ level: 'debug' })).toBe(3)
    expect(daysOf({ level: 'debug', environment: 'staging' })).toBe(7)
    expect(daysOf({ level: 'error', environment: 'staging' })).toBe(7)
    expect(daysOf({ level: 'debug', environment: 'qa' })).toBe(30)
    expect(daysOf({ level: 'debug', service: 'größe "x"' })).toBe(400)
    const old = '2025-12-20T12:00:00Z'
    expect(daysOf({}, old)).toBe(30)
    expect(daysOf({ level: 'trace' }, old)).toBe(
      `The time "${old}" is older than the project keeps such trace records (3 days).`,
    )
    expect(daysOf({ service: 'größe "x"' }, '2025-01-01T12:00:00Z')).toBe(400)
    expect(daysOf({}, '2025-01-01T12:00:00Z')).toBe(
      'The time "2025-01-01T12:00:00Z" is older than the project keeps such info records (30 days).',
    )
    expect(daysOf({}, '2024-01-01T12:00:00Z')).toBe(
      'The time "2024-01-01T12:00:00Z" is older than the project keeps records (400 days).',
    )
  })

  it('about projects that hide the same and differ in all else', () => {
    const line = '{"message":"m","timestamp":"2025-12-30T00:00:00Z"}'
    const projects = [
      { projectId: 'prj_one', project: { defaultEnvironment: 'production', retentionDays: 30 } },
      { projectId: 'prj_another', project: { defaultEnvironment: 'größe', retentionDays: 7 } },
      { projectId: 'prj_third', project: { defaultEnvironment: 'e', retentionDays: 2 } },
    ]
    for (const round of [1, 2]) {
      const rows = projects.map((sent) => encodedSame(`${line}\n{"message":"${round}","environment":"x"}`, sent)!)
      expect(rows.map(({ accepted }) => accepted)).toEqual([2, 2, 1])
      for (const [at, { projectId, project }] of projects.entries()) {
        const text = Buffer.from(rows[at]!.rows).toString()
        expect(text).toContain(projectId)
        expect(text.includes(project.defaultEnvironment)).toBe(at < 2)
      }
    }
  })

  it.each([
    ['a service', '{"message":"m","service":"cart-7"}', { seven: 1 }],
    ['a host, a logger and a release', '{"message":"m","host":"h-7","logger":"l-7","release":"r-7"}', { seven: 3 }],
    ['an id that is not plain', '{"message":"m","traceId":"id-7","spanId":"x-7"}', { seven: 2 }],
    ['an id that is plain, which stays', '{"message":"m","traceId":"ab-7","spanId":"-7"}', {}],
    ['an environment, which stays', '{"message":"m","environment":"e-7"}', {}],
    ['a key', '{"message":"m","key-7":1}', { seven: 1 }],
    ['a key inside another', '{"message":"m","a":{"key-7":"x"}}', { seven: 1 }],
    ['its own placeholder', '{"message":"[REDACTED:own]","a":"[REDACTED:own]"}', { own: 2 }],
    ['its own placeholder as a key', '{"message":"m","[REDACTED:own]":1}', {}],
    ['nothing', '{"message":"seven","service":"cart"}', {}],
  ])('about a rule of a project that meets %s', (_, line, redactions) => {
    const redaction: RedactionSettings = {
      disabled: [],
      rules: [
        { name: 'seven', pattern: '-7' },
        { name: 'own', pattern: '\\[REDACTED:own\\]' },
      ],
      fields: [],
    }
    expect(encodedSame(line, { redaction })).toMatchObject({ accepted: 1, redactions })
  })

  it.each(SEEDS.map((seed) => [seed.rule, seed] as const))('about a secret of the rule %s', (_, { secret, shapes }) => {
    let found = 0
    for (const shape of shapes) {
      const value = secret()
      // The fast path leaves every text with an escape, so there are none.
      const text = shape(value).replace(/["\\\n]/g, "'")
      const times = redactedTimes(text)
      if (times > 0) found++
      for (const [line, expected] of [
        [`{"timestamp":"2026-01-02T03:04:05Z","level":"info","message":"${text}","service":"cart"}`, times],
        [`{"level":"info","message":"m","attributes":{"n":1,"said":"${text}"}}`, times],
        [`{"message":"${text}","attributes":{"said":"${text}","b":true}}`, 2 * times],
      ] as const) {
        const encoded = encodedSame(`${USUAL}\n${line}\n${USUAL}`)!
        expect(encoded.accepted).toBe(3)
        expect(sum(encoded.redactions), line).toBe(expected)
        if (times > 0) expect(Buffer.from(encoded.rows).includes(value), line).toBe(false)
      }
    }
    expect(found).toBeGreaterThan(0)
  })

  it.each([
    ['{"message":"m","attributes":{"n":411111111111111}}', {}],
    ['{"message":"m","attributes":{"amex":378282246310005}}', { 'card-number': 1 }],
    ['{"message":"m","attributes":{"visa":4111111111111111,"us":1767323045678901}}', { 'card-number': 1 }],
    ['{"message":"m","attributes":{"sessionId":"k3JdQ7z9mmXwk3Jd"}}', { field: 1 }],
    ['{"message":"m","attributes":{"sessionId":"550e8400-e29b-41d4-a716-446655440000"}}', {}],
    ['{"message":"m","user":{"pass":"Hunter22"},"test":{"pass":"second"}}', { field: 1 }],
  ])('about a value that may be a secret: %s', (line, redactions) => {
    expect(encodedSame(line)).toMatchObject({ accepted: 1, redactions })
  })

  it('about the order of records, also of those in a list', () => {
    const records = [
      '{"message":"first"}',
      '{"message":"second\\n"}',
      '{"message":"third","tags":[]}',
      '{"message":"fourth"}',
      '{"level":"error","message":"fifth"}',
      '{"message":"","service":"rejected"}',
      '{"message":"sixth"}',
    ]
    for (const [body, sent] of [
      [records.join('\n'), {}],
      [`[${records}]`, JSON_BODY],
      [`[ ${records.join(' ,\n')} ]`, JSON_BODY],
    ] as const) {
      const { accepted, rows } = encodedSame(body, { ...sent, isNumbered: true })!
      expect(accepted).toBe(6)
      const places = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((word) =>
        Buffer.from(rows).indexOf(word),
      )
      expect(places).toEqual([...places].sort((a, b) => a - b))
      expect(places).not.toContain(-1)
    }
  })
})

/** To the microsecond. */
function isoOf(timeUs: number): string {
  const seconds = Math.floor(timeUs / 1e6)
  const fraction = String(timeUs - seconds * 1e6).padStart(6, '0')
  return new Date(seconds * 1_000).toISOString().replace('.000Z', `.${fraction}Z`)
}

function redactedTimes(text: string): number {
  const counts = new Map<string, number>()
  compileRedaction(NO_REDACTION_CHANGES).text(text, counts)
  return sum(Object.fromEntries(counts))
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((all, count) => all + count, 0)
}
