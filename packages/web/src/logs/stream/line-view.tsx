/** How every line of the stream is drawn, and the time that each begins with. */
import type { ReactElement } from 'react'
import { formatClock, formatMoment } from '../../time/format-time.ts'
import { classNames } from '../../ui/class-names.ts'
import type { Zone } from '../../ui/preferences.ts'

/** `isSized`: somebody chose the width, which may then take more of the line. */
export type LineColumn = { name: string; characters: number; isSized: boolean }
export type LineView = {
  zone: Zone
  hasDates: boolean
  isWrapped: boolean
  /** As on a phone, where the message has a line of its own and the day stands above the rows. */
  isNarrow: boolean
  columns: readonly LineColumn[]
}

export type LineProps<Row> = {
  row: Row
  index: number
  view: LineView
  /** On a phone, of a row whose day is not that of the row above it. */
  day?: string | undefined
  isCurrent: boolean
  /** The same function for every row and every render, or memoized lines would be rendered again. */
  onOpen: (index: number) => void
}

/**
 * As many characters as `formatMoment` and `formatClock` write. A `ch` is one of them only in the type of the lines, so
 * that is part of it; and it is the least width, never the most, so that no rounding can break or cover a time.
 */
export const timeColumn = (hasDates: boolean) =>
  classNames('shrink-0 font-mono text-small whitespace-nowrap tabular-nums', hasDates ? 'min-w-[19ch]' : 'min-w-[12ch]')

type TimeOptions = { view: LineView; day?: string | undefined }

/** No component: a line is drawn as one (line-values.tsx). */
export function lineTime(at: string, { view: { zone, hasDates, isNarrow }, day }: TimeOptions): ReactElement {
  if (!isNarrow) return <time dateTime={at}>{hasDates ? formatMoment(at, zone) : formatClock(at, zone)}</time>
  return (
    <time dateTime={at}>
      {day !== undefined && <span className="font-semibold">{`${day} `}</span>}
      {formatClock(at, zone)}
    </time>
  )
}
