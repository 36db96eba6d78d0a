/** What a shorter retention does, in words. */
import type { RetentionPreviewAnswer } from '@tidemark/wire/project'
import { formatDay } from '../time/format-time.ts'

export const daysWords = (days: number): string => (days === 1 ? '1 day' : `${days.toLocaleString('en-US')} days`)

/** From the service's count, or from the reason that there is none. */
export function deletionWords(days: number, counted: RetentionPreviewAnswer | Error): string {
  const kept = daysWords(days)
  if (counted instanceof Error) {
    return `The records that go could not be counted. ${counted.message} Everything older than ${kept} is deleted within the hour all the same. This can't be undone.`
  }
  // Retention ends with a day of UTC, whichever zone the reader is in.
  const before = `${formatDay(counted.keptSince, 'utc').replace(/^0/, '')} ${counted.keptSince.slice(0, 4)} (UTC)`
  if (counted.records === 0) return `No record is from before ${before}, so nothing is deleted now.`
  const records = `${counted.records.toLocaleString('en-US')} ${counted.records === 1 ? 'record' : 'records'}`
  return `${kept} deletes ${records} from before ${before} within the hour. This can't be undone.`
}
