import { withCommas } from '@tidemark/wire/text/counted'
import { AppError } from '../../errors.ts'
import { MAX_RECORDS } from '../limits.ts'

export function tooManyRecords(): AppError {
  return new AppError(
    'body_too_large',
    `A request holds at most ${withCommas(MAX_RECORDS)} records. Send smaller batches.`,
  )
}
