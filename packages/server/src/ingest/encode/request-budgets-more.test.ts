/** What one request may become: the same at every door and on both paths, with nothing of a refused one left. */
import { MAX_ATTRIBUTES } from '@tidemark/wire/limits'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_ROW_BYTES, MAX_SHARED_BYTES } from '../limits.ts'
import { RecordDraft } from '../record/record-draft.ts'
import { PAIR_BYTES } from '../record/shared-bytes.ts'
import { encodedSame, refusedSame } from '../testing/both-ways.ts'
import * as otlp from '../testing/otlp-bytes.ts'
import {
  AROUND_VALUE_BYTES,
  JSON_BODY,
  json,
  MOST_VALUE_BYTES,
  PROTOBUF,
  protobuf,
  RECORDS,
  REFUSED,
  type Shared,
} from '../testing/sharing-requests.ts'

describe.each([
  ['protobuf', protobuf, PROTOBUF],
  ['JSON', json, JSON_BODY],
] as const)('what the records of OTLP in %s share', (_, write, sent) => {
  it('is counted with each of them', () => {
    const taken = encodedSame(write({ resource: 'x'.repeat(MOST_VALUE_BYTES) }), sent)
    expect(taken).toMatchObject({
      accepted: RECORDS,
      spreadBytes: (RECORDS - 1) * (MOST_VALUE_BYTES + AROUND_VALUE_BYTES),
    })
  })

  it('refuses the request above a limit', () => {
    const { code, message } = refusedSame(write({ resource: 'x'.repeat(MOST_VALUE_BYTES + 1) }), sent)
    expect([code, message]).toEqual(['body_too_large', expect.stringMatching(REFUSED)])
  })

  it.each([
    ['a resource of errors', (value: string): Shared => ({ resource: value, isError: true })],
    ['a resource with several scopes', (value: string): Shared => ({ resource: value, scopes: 10 })],
    ['a scope', (value: string): Shared => ({ scope: value })],
  ])('refuses the request above a limit: %s', (_name, sharing) => {
    const { code, message } = refusedSame(write(sharing('x'.repeat(MOST_VALUE_BYTES + 1))), sent)
    expect([code, message]).toEqual(['body_too_large', expect.stringMatching(REFUSED)])
  })

  it('is counted where none of them can be taken', () => {
    const { code } = refusedSame(write({ resource: 'x'.repeat(MOST_VALUE_BYTES + 1), time: 1n }), sent)
    expect(code).toBe('body_too_large')
  })

  it('is not counted with the only record of a scope', () => {
    const value = 'x'.repeat(15_000)
    expect(encodedSame(write({ scope: value, scopes: RECORDS }), sent)).toMatchObject({
      accepted: RECORDS,
      spreadBytes: 0,
    })
  })
})

it('counts the names of nested attributes that a resource has', () => {
  const inside = Array.from({ length: 200 }, (_, at) => otlp.part(1, otlp.part(1, `n${at}`), otlp.part(2, '')))
  const resource = otlp.resource(otlp.pair(1, 'k'.repeat(100), otlp.part(6, ...inside)))
  const record = otlp.record(otlp.body('m'))
  const bytes = (count: number) =>
    otlp.resourceLogs(resource, otlp.scopeLogs(Buffer.alloc(count * record.length, record)))
  expect(encodedSame(bytes(1_400), PROTOBUF)!.spreadBytes).toBeGreaterThan(1_399 * 200 * 100)
  expect(refusedSame(bytes(1_700), PROTOBUF).code).toBe('body_too_large')
})

describe('values that are empty, of a resource with many records', () => {
  let valuesPut: number
  const { add } = RecordDraft.prototype
  beforeEach(() => {
    valuesPut = 0
    vi.spyOn(RecordDraft.prototype, 'add').mockImplementation(function (this: RecordDraft, shared, prefix) {
      valuesPut += shared.steps.length
      add.call(this, shared, prefix)
    })
  })
  afterEach(() => vi.restoreAllMocks())

  const inProtobuf = (values: number, records: number) =>
    otlp.resourceLogs(
      otlp.resource(...Array(values).fill(otlp.pair(1, 'q', otlp.textValue('')))),
      otlp.scopeLogs(...Array(records).fill(otlp.record(otlp.body('m')))),
    )
  const inJson = (values: number, records: number) => {
    const attributes = Array(values).fill({ key: 'q', value: { stringValue: '' } })
    const logRecords = Array(records).fill({ body: { stringValue: 'm' } })
    return JSON.stringify({ resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }] })
  }

  it('are put into records only until the request is refused, and that once', () => {
    const values = 250
    const most = MAX_SHARED_BYTES / PAIR_BYTES
    expect(refusedSame(inJson(values, 6_000), JSON_BODY).code).toBe('body_too_large')
    // None the plain way, which knows beforehand.
    expect(valuesPut).toBeGreaterThan(most / 2)
    expect(valuesPut).toBeLessThan(most + values)
    valuesPut = 0
    expect(refusedSame(inProtobuf(values, 6_000), PROTOBUF).code).toBe('body_too_large')
    expect(valuesPut).toBeLessThan(2 * (most + values))
  })

  it.each([
    ['protobuf', inProtobuf, PROTOBUF],
    ['JSON', inJson, JSON_BODY],
  ] as const)('are put into none when they alone are more than a record may have: %s', (_, write, sent) => {
    const taken = encodedSame(write(4_000, 3), sent)
    const reason = `The resource and the scope of the record have 4,000 attributes; at most ${MAX_ATTRIBUTES} are allowed.`
    expect(taken).toMatchObject({ accepted: 0, rejected: [0, 1, 2].map((index) => ({ index, reason })) })
    expect(valuesPut).toBe(0)
  })
})

describe('the rows of a request', () => {
  /** Every short name inside is stored after the long one. */
  const wide = JSON.stringify({
    message: 'm',
    [`k${'k'.repeat(120)}`]: Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`n${at}`, 1])),
  })
  const stored = encodedSame(wide)!.rows.length
  const most = Math.floor(MAX_ROW_BYTES / stored) + 1
  const bodies: [string, { type?: string }, (count: number) => string][] = [
    ['lines', {}, (count) => `${wide}\n`.repeat(count)],
    ['a list', JSON_BODY, (count) => `[${Array(count).fill(wide).join()}]`],
  ]

  it.each(bodies)(
    'are bounded, however small the body is: %s',
    (_, sent, body) => {
      expect(stored).toBeGreaterThan(10 * wide.length)
      expect(encodedSame(body(most - 1), sent)).toMatchObject({ accepted: most - 1 })
      const { code, message } = refusedSame(body(most + 1), sent)
      expect([code, message]).toEqual([
        'body_too_large',
        expect.stringMatching(/more than 48 MiB .* Send fewer records per request/),
      ])
      // Nothing of it is left for the next.
      expect(encodedSame(wide)!.rows.length).toBe(stored)
    },
    120_000,
  )

  it('are bounded when they are read straight from the bytes', () => {
    const nested =
      `{"message":"m","${'k'.repeat(120)}":{${Array.from({ length: 60 }, (_, at) => `"${at}n":1`)}}}\n`.replace(
        /"(\d+)n"/g,
        '"n$1"',
      )
    const rowBytes = encodedSame(nested)!.rows.length
    const count = Math.floor(MAX_ROW_BYTES / rowBytes) + 2
    expect(refusedSame(nested.repeat(count)).code).toBe('body_too_large')
    expect(encodedSame(nested.repeat(count - 3))).toMatchObject({ accepted: count - 3 })
  })
})
