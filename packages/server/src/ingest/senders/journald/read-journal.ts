/** A batch of whole entries that the door has put together, each with its length before it. */
import { TOO_LARGE_ENTRY } from '@tidemark/wire/senders/journal-names'
import { MAX_RECORDS } from '../../limits.ts'
import { add } from '../../parse/fill-batch.ts'
import { createReaders } from '../../parse/program-lines.ts'
import { tooManyRecords } from '../../parse/too-many-records.ts'
import { finishRecord } from '../../record/finish-record.ts'
import { keepOwnTime } from '../../record/keep-own-time.ts'
import { RecordDraft } from '../../record/record-draft.ts'
import { unframed } from '../framed.ts'
import type { ReadSender } from '../sender.ts'
import { readEntry } from './read-entry.ts'

export const readJournal: ReadSender = (input, batch, context, sink) => {
  const draft = new RecordDraft(context.receivedUs)
  const { readLine } = createReaders(context)
  let withCursor = 0
  let tooLarge = 0
  for (const bytes of unframed(input.body)) {
    if (batch.total === MAX_RECORDS) throw tooManyRecords()
    if (bytes.length === 0) {
      tooLarge++
      add(batch, batch.total++, TOO_LARGE_ENTRY, sink)
      continue
    }
    context.needsCleaning = true
    draft.reset()
    const { hasCursor, timeUs, problem } = readEntry(draft, bytes, readLine)
    if (hasCursor) withCursor++
    if (timeUs !== null) {
      keepOwnTime(draft, timeUs, context)
      draft.exactTimeUs = timeUs
    }
    add(batch, batch.total++, problem ?? finishRecord(draft, context), sink)
  }
  // A cursor is the place of an entry in its journal: no two entries have the same.
  batch.isNamedByBytes = withCursor > 0 && withCursor + tooLarge === batch.total
  return input.body
}
