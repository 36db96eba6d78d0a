/** What a reader makes of a piece of a file: a record as JSON text on one line, or why it is not one. */
export type Entry = {
  /** Where it begins, from 1. */
  line: number
  /** Offset of the byte after it, counted after inflation. */
  endOffset: number
} & ({ json: string; day: string } | { problem: string })

export type Format = 'ndjson' | 'json' | 'text' | 'csv'
export const FORMATS: readonly Format[] = ['ndjson', 'json', 'text', 'csv']

/** For records that do not carry their own. */
export type Defaults = { service?: string; environment?: string; level?: string }
