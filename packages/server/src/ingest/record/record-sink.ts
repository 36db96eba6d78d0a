import type { LogRecord } from '../../model/log-record.ts'

/** Where the records of a batch go, in the order they were sent. */
export type RecordSink = {
  record(record: LogRecord): void
  /** Reads records straight from the bytes; null when every record is to be read the plain way. */
  readonly fast: FastReaders | null
  /** The rows are too many bytes for a request: what comes now is not kept, and the request is refused at its end. */
  readonly isFull: boolean
  /** Forgets all records, because they are read once more from the beginning. */
  clear(): void
}

/**
 * They read the records that need nothing out of the ordinary, and leave all others. What they take ends up exactly as if
 * it had been read the plain way.
 */
export type FastReaders = { json(): FastRecords; otlp(): FastOtlpRecords; otlpJson(): FastOtlpJsonRecords }

export type FastRecords = {
  /** Where the JSON object ends that begins at `start`; 0 when it has to be read the plain way. It is not taken yet. */
  read(bytes: Uint8Array, start: number): number
  /** Of the object that was read last: its time, and its values as the JSON scan counts them. */
  readonly timeUs: number
  readonly values: number
  /** Takes the object that was read last. */
  take(): void
}

/** The same for log records of OTLP in protobuf. */
export type FastOtlpRecords = {
  /** The records that follow have this resource and this scope. */
  beginGroup(bytes: Uint8Array, places: OtlpPlaces): void
  /** False when the record has to be read the plain way. */
  read(start: number, end: number): boolean
  readonly timeUs: number
  readonly values: number
  take(): void
}

/** A group with more such messages is read the plain way. */
export const MAX_PLACES = 8

/**
 * Where the messages stand that say what the records of a group have in common: usually one of each, or none. Where there
 * are more than `MAX_PLACES`, only one more than that.
 */
export type OtlpPlaces = { resource: readonly Span[]; scope: readonly Span[] }

export type Span = { start: number; end: number }

/** The same for log records of OTLP in JSON. */
export type FastOtlpJsonRecords = {
  beginGroup(bytes: Uint8Array, places: OtlpJsonPlaces): void
  /** Where the record ends that begins at `start`; 0 when it has to be read the plain way. */
  read(start: number): number
  readonly timeUs: number
  readonly values: number
  take(): void
}

/** Where the objects stand that say what the records of a group have in common. */
export type OtlpJsonPlaces = { resource: Span | null; scope: Span | null }
