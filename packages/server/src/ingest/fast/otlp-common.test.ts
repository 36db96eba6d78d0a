import { expect, it } from 'vitest'
import { SequenceSource } from '../../logstore/schema/log-id.ts'
import { RowWriter } from '../../logstore/schema/row-writer.ts'
import { compileRedaction } from '../../redaction/redact.ts'
import { NO_REDACTION_CHANGES } from '../../redaction/settings.ts'
import { readOtlpJsonBatch } from '../parse/read-otlp-json-batch.ts'
import { readOtlpProtobuf } from '../parse/read-otlp-protobuf.ts'
import { encodedSame } from '../testing/both-ways.ts'
import * as otlp from '../testing/otlp-bytes.ts'
import { RECEIVED_US } from '../testing/read-body.ts'
import type { Batch } from './fast-json.ts'
import { FastOtlp } from './fast-otlp.ts'
import { FastOtlpJson } from './fast-otlp-json.ts'

const SCOPES = 50
/** The first is read the fast way; the second is not, because it has the same name twice. */
const RESOURCES = [['of resource'], ['of other', 'of other']]

function protobuf(): Buffer {
  const group = otlp.scopeLogs(
    otlp.scope(otlp.pair(3, 's', otlp.textValue('of scope'))),
    otlp.record(otlp.body('of record')),
  )
  const logs = RESOURCES.map((values) =>
    otlp.resourceLogs(
      otlp.resource(...values.map((value) => otlp.pair(1, 'r', otlp.textValue(value)))),
      ...Array(SCOPES).fill(group),
    ),
  )
  return Buffer.concat(logs)
}

function json(): Buffer {
  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  const scope = { attributes: [attribute('s', 'of scope')] }
  const group = { scope, logRecords: [{ body: { stringValue: 'of record' } }] }
  const resourceLogs = RESOURCES.map((values) => ({
    resource: { attributes: values.map((value) => attribute('r', value)) },
    scopeLogs: Array(SCOPES).fill(group),
  }))
  return Buffer.from(JSON.stringify({ resourceLogs }))
}

/** How many records were taken, and where the walk over the bytes came by. */
function reading(read: (batch: Batch, taken: () => void) => void): { taken: number; seen: Record<string, number> } {
  const seen: Record<string, number> = {}
  let taken = 0
  // A rule of the project's own has every text looked at.
  const rules = [{ name: 'own', pattern: 'secret-[0-9]+' }]
  const redaction = {
    ...compileRedaction({ ...NO_REDACTION_CHANGES, rules }),
    text: (text: string) => {
      seen[text] = (seen[text] ?? 0) + 1
      return text
    },
  }
  read(
    {
      receivedUs: RECEIVED_US,
      receivedMs: RECEIVED_US / 1_000,
      projectId: 'prj_one',
      defaultEnvironment: 'production',
      retentionDays: 30,
      redaction,
      sequence: new SequenceSource(),
    },
    () => taken++,
  )
  return { taken, seen }
}

it.each([
  [
    'protobuf',
    (batch: Batch, taken: () => void) =>
      readOtlpProtobuf(new Uint8Array(protobuf()), {
        fast: new FastOtlp(new RowWriter(), batch),
        taken,
        entry: () => undefined,
      }),
  ],
  [
    'JSON',
    (batch: Batch, taken: () => void) =>
      readOtlpJsonBatch(new Uint8Array(json()), {
        fast: new FastOtlpJson(new RowWriter(), batch),
        taken: () => {
          taken()
          return true
        },
        entry: () => true,
      }),
  ],
])('reads a resource once, however many scopes it has: %s', (_, read) => {
  expect(reading(read)).toEqual({
    taken: SCOPES,
    seen: { 'of resource': 1, 'of scope': SCOPES, 'of record': SCOPES },
  })
})

it('keeps what a resource says from scope to scope as the plain path does, also when names are forgotten between them', () => {
  const numbers = (field: number, from: number) =>
    Array.from({ length: 3 }, (_, at) => otlp.pair(field, `n${from + at}`, otlp.number(3, 1_000 * from + at)))
  const groups = Array.from({ length: 400 }, (_, at) =>
    otlp.scopeLogs(
      // Every tenth has a name that the resource has too.
      otlp.scope(otlp.part(1, `logger-${at}`), ...numbers(3, at % 10 === 0 ? 2 : 5)),
      otlp.record(otlp.body('m'), ...numbers(6, 10 * at + 10)),
      otlp.record(otlp.body('m')),
    ),
  )
  const logs = [1, 1, 0].map((from) => otlp.resourceLogs(otlp.resource(...numbers(1, from)), ...groups))
  expect(encodedSame(Buffer.concat(logs), { type: 'application/x-protobuf' })).toMatchObject({ accepted: 2_400 })
})
