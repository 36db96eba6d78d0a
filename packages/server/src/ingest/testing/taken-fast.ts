import { SequenceSource } from '../../logstore/schema/log-id.ts'
import { RowWriter } from '../../logstore/schema/row-writer.ts'
import { compileRedaction } from '../../redaction/redact.ts'
import { NO_REDACTION_CHANGES } from '../../redaction/settings.ts'
import { FastOtlp } from '../fast/fast-otlp.ts'
import { readOtlpProtobuf } from '../parse/parse-otlp-protobuf.ts'
import { RECEIVED_US } from './read-body.ts'

/** How many records of an OTLP request are read straight from the bytes; those before a mistake when it is broken. */
export function takenFast(bytes: Uint8Array): number {
  let taken = 0
  const fast = new FastOtlp(new RowWriter(), {
    receivedUs: RECEIVED_US,
    receivedMs: RECEIVED_US / 1_000,
    projectId: 'prj_one',
    defaultEnvironment: 'production',
    retentionDays: 30,
    redaction: compileRedaction(NO_REDACTION_CHANGES),
    sequence: new SequenceSource(),
  })
  try {
    readOtlpProtobuf(new Uint8Array(bytes), { fast, taken: () => taken++, entry: () => undefined })
  } catch {
    return taken
  }
  return taken
}
