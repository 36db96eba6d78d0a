/** What the rooms of other senders' protocols share: who they are, and how each reads a request. */
import type { BatchInput, ReadBatch } from '../parse/fill-batch.ts'
import type { BatchContext } from '../record/finish-record.ts'
import type { RecordSink } from '../record/record-sink.ts'

export type Sender =
  | { protocol: 'loki' }
  /** `defaults` are the fields in the address, for entries that lack them. Absent when the address has none. */
  | { protocol: 'datadog'; defaults?: DatadogDefaults }
  | { protocol: 'syslog' }
  | { protocol: 'journald' }
  /** `index` is the one in the address, for items that name none. */
  | { protocol: 'elasticsearch'; index: string }

/** The query parameters of Datadog's intake that describe every entry of a request. */
export const DATADOG_PARAMETERS = ['ddsource', 'ddtags', 'hostname', 'service'] as const
export type DatadogDefaults = { [Name in (typeof DATADOG_PARAMETERS)[number]]?: string }

/** Equal bytes are the same batch only when this is equal too: the protocol, and what the address adds to the bytes. */
export function identityOf(sender: Sender): string {
  return `${JSON.stringify(sender)}\n`
}

/** Fills the batch and the sink, in the order sent, and returns the inflated bytes. */
export type ReadSender<One extends Sender = Sender> = (
  input: BatchInput & { sender: One },
  batch: ReadBatch,
  context: BatchContext,
  sink: RecordSink,
) => Uint8Array
