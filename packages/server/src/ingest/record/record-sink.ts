import type { LogRecord } from '../../model/log-record.ts'

/** Where the records of a batch go, in the order they were sent. */
export type RecordSink = {
  record(record: LogRecord): void
  /** Reads records straight from the bytes; null when every record is to be read the plain way. */
  readonly fast: FastRecords | null
  /** Forgets all records, because they are read once more from the beginning. */
  clear(): void
}

/**
 * Reads the records that need nothing out of the ordinary, and leaves all others. What it takes ends up exactly as if it
 * had been read the plain way.
 */
export type FastRecords = {
  /** Where the JSON object ends that begins at `start`; 0 when it has to be read the plain way. It is not taken yet. */
  read(bytes: Uint8Array, start: number): number
  /** Of the object that was read last: its time, and its values as the JSON scan counts them. */
  readonly timeUs: number
  readonly values: number
  /** Takes the object that was read last. */
  take(): void
}
