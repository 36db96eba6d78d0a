/**
 * A search begins at the near end of its range and looks further away only while it has not found enough: the newest
 * hundred records of a busy project lie within minutes, and a query over its whole range would open every part.
 */
import type { Order, TimeRange } from '../log-store.ts'
import { MINUTE_US } from './read-range.ts'

/** How far from the near end each window reaches; the last one reaches the far end. */
const REACHES_US = [15, 60, 6 * 60, 24 * 60].map((minutes) => minutes * MINUTE_US)

/** Side by side, nearest first, together exactly the range. */
export function searchWindows({ fromUs, toUs }: TimeRange, order: Order): TimeRange[] {
  const windows: TimeRange[] = []
  let doneUs = 0
  for (const reachUs of [...REACHES_US, Number.POSITIVE_INFINITY]) {
    const nextUs = Math.min(reachUs, toUs - fromUs)
    if (nextUs <= doneUs) break
    windows.push(
      order === 'newest'
        ? { fromUs: toUs - nextUs, toUs: toUs - doneUs }
        : { fromUs: fromUs + doneUs, toUs: fromUs + nextUs },
    )
    doneUs = nextUs
  }
  return windows
}
