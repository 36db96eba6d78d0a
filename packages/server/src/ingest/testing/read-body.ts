import type { LogRecord } from '../../model/log-record.ts'
import { readProtocol } from '../encode/read-protocol.ts'
import { readBatch } from '../parse/read-batch.ts'
import type { Sender } from '../senders/sender.ts'

/** When the bodies arrive. */
export const RECEIVED_US = Date.parse('2026-01-02T03:04:05Z') * 1_000

type Options = { type?: string; encoding?: string; retentionDays?: number; sender?: Sender; receivedUs?: number }

/** A body as a project without settings of its own receives it. */
export function readBody(
  body: string | Uint8Array,
  { type = 'application/json', encoding = '', retentionDays = 30, sender, receivedUs = RECEIVED_US }: Options = {},
) {
  const records: LogRecord[] = []
  const sink = {
    fast: null,
    isFull: false,
    record: (record: LogRecord) => records.push(record),
    clear: () => records.splice(0),
  }
  const input = {
    body: typeof body === 'string' ? Buffer.from(body) : body,
    contentType: type,
    contentEncoding: encoding,
    receivedUs,
    project: { defaultEnvironment: 'production', retentionDays },
    redaction: { disabled: [], rules: [], fields: [] },
  }
  return { ...(sender === undefined ? readBatch(input, sink) : readProtocol({ ...input, sender }, sink)), records }
}
