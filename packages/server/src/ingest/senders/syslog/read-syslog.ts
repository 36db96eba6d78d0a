/** A batch of messages that the door has put together, each with its length before it and without its key. */
import { MAX_RECORDS } from '../../limits.ts'
import { add } from '../../parse/fill-batch.ts'
import { createReaders } from '../../parse/program-lines.ts'
import { tooManyRecords } from '../../parse/too-many-records.ts'
import { type BatchContext, finishRecord } from '../../record/finish-record.ts'
import { keepOwnTime } from '../../record/keep-own-time.ts'
import type { Normalized } from '../../record/normalize.ts'
import { RecordDraft } from '../../record/record-draft.ts'
import { unframed } from '../framed.ts'
import type { ReadSender } from '../sender.ts'
import { readMessage } from './read-message.ts'

export const readSyslog: ReadSender = (input, batch, context, sink) => {
  const draft = new RecordDraft(context.receivedUs)
  const { readLine } = createReaders(context)
  for (const message of unframed(input.body)) {
    if (batch.total === MAX_RECORDS) throw tooManyRecords()
    context.needsCleaning = true
    add(batch, batch.total++, readOne(draft, message, context, readLine), sink)
  }
  return input.body
}

function readOne(
  draft: RecordDraft,
  message: Buffer,
  context: BatchContext,
  readLine: ReturnType<typeof createReaders>['readLine'],
): Normalized {
  draft.reset()
  const read = readMessage(draft, message, context.receivedUs, readLine)
  if (typeof read === 'string') return read
  if (read.timeUs !== null) {
    keepOwnTime(draft, read.timeUs, context)
    draft.exactTimeUs = read.timeUs
  }
  return finishRecord(draft, context)
}
