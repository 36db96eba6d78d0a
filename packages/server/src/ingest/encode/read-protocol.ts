import { type BatchInput, fillBatch, type ReadBatch } from '../parse/fill-batch.ts'
import type { RecordSink } from '../record/record-sink.ts'
import { readEntries } from '../senders/datadog/read-entries.ts'
import { readBulk } from '../senders/elasticsearch/read-bulk.ts'
import { readJournal } from '../senders/journald/read-journal.ts'
import { readPush } from '../senders/loki/read-push.ts'
import { identityOf, type Sender } from '../senders/sender.ts'
import { readSyslog } from '../senders/syslog/read-syslog.ts'

/** A request in the protocol of another sender: bytes in, records out, like `readBatch`. */
export function readProtocol({ sender, ...input }: BatchInput & { sender: Sender }, sink: RecordSink): ReadBatch {
  return fillBatch(
    input,
    sink,
    (batch, context) => {
      batch.protocol = 'sender'
      switch (sender.protocol) {
        case 'loki':
          return readPush({ ...input, sender }, batch, context, sink)
        case 'elasticsearch':
          return readBulk({ ...input, sender }, batch, context, sink)
        case 'datadog':
          return readEntries({ ...input, sender }, batch, context, sink)
        case 'syslog':
          return readSyslog({ ...input, sender }, batch, context, sink)
        case 'journald':
          return readJournal({ ...input, sender }, batch, context, sink)
      }
    },
    identityOf(sender),
  )
}
