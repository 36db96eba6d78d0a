/** How many records of a body are read straight from its bytes; those before a mistake when it is broken. */
import { SequenceSource } from '../../logstore/schema/log-id.ts'
import { RowWriter } from '../../logstore/schema/row-writer.ts'
import { compileRedaction } from '../../redaction/redact.ts'
import { NO_REDACTION_CHANGES } from '../../redaction/settings.ts'
import { type Batch, FastJson } from '../fast/fast-json.ts'
import { FastOtlp } from '../fast/fast-otlp.ts'
import { FastOtlpJson } from '../fast/fast-otlp-json.ts'
import { readOtlpJsonBatch } from '../parse/read-otlp-json-batch.ts'
import { readOtlpProtobuf } from '../parse/read-otlp-protobuf.ts'
import { RECEIVED_US } from './read-body.ts'

const BATCH: Batch = {
  receivedUs: RECEIVED_US,
  receivedMs: RECEIVED_US / 1_000,
  projectId: 'prj_one',
  defaultEnvironment: 'production',
  retentionDays: 30,
  redaction: compileRedaction(NO_REDACTION_CHANGES),
  sequence: new SequenceSource(),
}

const fastJson = new FastJson(new RowWriter(), BATCH)

export function isTakenFast(line: string | Buffer): boolean {
  return fastJson.read(Buffer.from(line), 0) > 0
}

export function takenFast(bytes: Uint8Array): number {
  let taken = 0
  const fast = new FastOtlp(new RowWriter(), BATCH)
  try {
    readOtlpProtobuf(new Uint8Array(bytes), { fast, taken: () => taken++, entry: () => undefined })
  } catch {
    return taken
  }
  return taken
}

/** None of a request that is read as a whole. */
export function takenFastOfJson(body: string | Uint8Array): number {
  let taken = 0
  const fast = new FastOtlpJson(new RowWriter(), BATCH)
  const bytes = new Uint8Array(Buffer.from(body))
  const total = readOtlpJsonBatch(bytes, { fast, taken: () => ++taken > 0, entry: () => true })
  return total === null ? 0 : taken
}
