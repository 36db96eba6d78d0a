import { formatDay } from '../../time/format-time.ts'
import type { Zone } from '../../ui/preferences.ts'
import type { StreamRow } from './merge-rows.ts'

type Timed = Pick<StreamRow, 'timestamp'>

/** `15 Nov`, of a row that is there. */
export function dayOf(rows: readonly Timed[], index: number, zone: Zone): string | undefined {
  const row = rows[index]
  return row && formatDay(row.timestamp, zone)
}

/** The day of a row that is another than that of the row above it. */
export function dayBegun(rows: readonly Timed[], index: number, zone: Zone): string | undefined {
  const day = dayOf(rows, index, zone)
  return index > 0 && day !== dayOf(rows, index - 1, zone) ? day : undefined
}
