/** Requests of OTLP whose records share a value, in both forms. */
import { MAX_SHARED_BYTES } from '../limits.ts'
import { PAIR_BYTES } from '../record/shared-bytes.ts'
import * as otlp from './otlp-bytes.ts'
import { RECEIVED_US } from './read-body.ts'

export const PROTOBUF = { type: 'application/x-protobuf' }
export const JSON_BODY = { type: 'application/json' }
const NANOS = BigInt(RECEIVED_US) * 1_000n
export const RECORDS = 1_000
/** A key of one byte, and what each pair costs beside its texts. */
export const AROUND_VALUE_BYTES = 1 + PAIR_BYTES
/** With every record but the first. */
export const MOST_VALUE_BYTES = Math.floor(MAX_SHARED_BYTES / (RECORDS - 1)) - AROUND_VALUE_BYTES

export type Shared = { resource?: string; scope?: string; scopes?: number; isError?: boolean; time?: bigint }

export function protobuf({ resource, scope, scopes = 1, isError = false, time = NANOS }: Shared): Buffer {
  const record = otlp.record(otlp.fixed64(1, time), otlp.body('m'), otlp.number(2, isError ? 17 : 9))
  const records = Buffer.alloc((RECORDS / scopes) * record.length, record)
  return otlp.resourceLogs(
    ...(resource === undefined ? [] : [otlp.resource(otlp.pair(1, 'r', otlp.textValue(resource)))]),
    ...Array.from({ length: scopes }, () =>
      otlp.scopeLogs(...(scope === undefined ? [] : [otlp.scope(otlp.pair(3, 's', otlp.textValue(scope)))]), records),
    ),
  )
}

export function json({ resource, scope, scopes = 1, isError = false, time = NANOS }: Shared): string {
  const attributes = (key: string, stringValue?: string) =>
    stringValue === undefined ? [] : [{ key, value: { stringValue } }]
  const logRecords = Array.from({ length: RECORDS / scopes }, () => ({
    timeUnixNano: `${time}`,
    severityNumber: isError ? 17 : 9,
    body: { stringValue: 'm' },
  }))
  const scopeLogs = Array.from({ length: scopes }, () => ({
    scope: { attributes: attributes('s', scope) },
    logRecords,
  }))
  return JSON.stringify({ resourceLogs: [{ resource: { attributes: attributes('r', resource) }, scopeLogs }] })
}

/** What a request that shares too much is told. */
export const REFUSED = /share, .* more than 40 MiB\. Send fewer records per request, or fewer resource attributes/
