/** What the SDK encodes, read by the service's own ingest code: nothing is rejected, and errors are grouped through causes. */
import { describe, expect, it } from 'vitest'
import { PINO_KEYS, pinoRecord } from '../../packages/sdk/src/adapters/pino-record.ts'
import { describeError } from '../../packages/sdk/src/record/describe-error.ts'
import { createRecordEncoder } from '../../packages/sdk/src/record/encode-record.ts'
import type { LogRecord as SentRecord } from '../../packages/sdk/src/record/record.ts'
import { HOSTILE_VALUES } from '../../packages/sdk/src/testing/hostile-values.ts'
import { fingerprintOf } from '../../packages/server/src/analysis/group/fingerprint.ts'
import { createNormalizer } from '../../packages/server/src/ingest/record/normalize.ts'
import type { LogRecord } from '../../packages/server/src/model/log-record.ts'
import { compileRedaction } from '../../packages/server/src/redaction/redact.ts'
import { NO_REDACTION_CHANGES } from '../../packages/server/src/redaction/settings.ts'

const encode = createRecordEncoder({ environment: 'e2e', service: 'sdk' })

function received(sent: Partial<SentRecord>): LogRecord {
  const line = encode({ timeUs: Date.now() * 1_000, level: 'error', message: 'm', attributes: {}, ...sent })
  expect(line).not.toContain('\n')
  const normalize = createNormalizer({
    receivedUs: Date.now() * 1_000,
    defaultEnvironment: 'production',
    retentionDays: 30,
    needsCleaning: true,
    redaction: compileRedaction(NO_REDACTION_CHANGES),
    redactionCounts: new Map(),
  })
  const record = normalize(JSON.parse(line))
  if (typeof record === 'string') throw new Error(record)
  return record
}

describe('a record of the SDK', () => {
  it.each(HOSTILE_VALUES)('is never rejected: $name', ({ make }) => {
    const value = make()
    received({ attributes: { value, again: [value, { value }] } })
    received({ attributes: { value }, error: describeError(value) })
    received({ error: describeError(new Error('x', { cause: value })) })
  })

  it('that is too large in every way is cut, and says so', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [`${'ü'.repeat(200)}${at}`, '👩'.repeat(9_000)]),
    )
    const record = received({
      message: '漢'.repeat(1_000_000),
      logger: 'l'.repeat(1_000),
      traceId: 't'.repeat(1_000),
      error: { type: 'T'.repeat(300), message: '漢'.repeat(16_000), stack: '漢'.repeat(32_000), details: wide },
      attributes: { wide, deep: { wide } },
    })
    expect(Number(record.attributes.get('attributesCut'))).toBeGreaterThan(100)
    expect(received({ message: 'x'.repeat(70_000) })).toMatchObject({ truncated: true })
    expect(received({ message: 'x'.repeat(65_536) })).toMatchObject({ truncated: false })
  })
})

describe('an error of the SDK', () => {
  class PaymentError extends Error {}
  const fail = (cause: unknown) => new PaymentError('card refused', { cause })
  const groupOf = (error: unknown) => fingerprintOf(received({ error: describeError(error) }))

  it('is grouped by its class, its frames and its causes', () => {
    expect(groupOf(fail(new TypeError('no socket')))?.grouping.explanation).toMatch(
      /^grouped by PaymentError caused by TypeError and \d+ in-app frames$/,
    )
    const one = groupOf(fail(new TypeError('no socket')))
    const other = groupOf(fail(new RangeError('no socket')))
    expect([one?.hi, one?.lo]).not.toEqual([other?.hi, other?.lo])
  })

  it('is in the same group however many parts of an aggregate failed alike', () => {
    const part = () => new TypeError(`part ${Math.random()}`)
    const all = (count: number) => groupOf(new AggregateError(Array.from({ length: count }, part), 'all failed'))
    const [two, five] = [all(2), all(5)]
    expect(two?.grouping.explanation).toMatch(/^grouped by AggregateError caused by TypeError /)
    expect([two?.hi, two?.lo]).toEqual([five?.hi, five?.lo])
  })

  it('that pino wrote is in the same group as one that the SDK wrote', () => {
    const error = fail(new TypeError('no socket'))
    const cause = error.cause as Error
    const line = {
      level: 50,
      time: Date.now(),
      msg: 'failed',
      err: {
        type: 'PaymentError',
        message: 'card refused: no socket',
        stack: `${error.stack}\ncaused by: ${cause.stack}`,
      },
    }
    const viaPino = fingerprintOf(received(pinoRecord(line, PINO_KEYS, (ms = 0) => ms * 1_000)))
    const direct = groupOf(error)
    expect([viaPino?.hi, viaPino?.lo]).toEqual([direct?.hi, direct?.lo])
  })

  it('keeps what it and its cause know besides', () => {
    const cause = Object.assign(new TypeError('no socket'), { code: 'ECONNREFUSED' })
    const { attributes, error } = received({ error: describeError(Object.assign(fail(cause), { status: 402 })) })
    expect(error).toMatchObject({ type: 'PaymentError', message: 'card refused' })
    expect(Object.fromEntries(attributes)).toEqual({ 'error.status': 402, 'error.cause.code': 'ECONNREFUSED' })
  })
})
