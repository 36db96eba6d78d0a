/** Opening a project is the only way to records, so a query without a tenant cannot be written. */

import type { Field } from '@tidemark/wire/query/fields'
import type { SplitField } from '../model/grouping-rule.ts'
import type { Profile } from '../model/profile.ts'
import type { ProjectId } from '../model/project.ts'
import type { PastRetention } from '../model/retention.ts'
import type {
  BucketCount,
  BucketedSpan,
  Bucketing,
  ErrorSpan,
  FieldList,
  FieldListing,
  FieldMeasure,
  Groups,
  KnownPlace,
  LoadSearch,
  LogPage,
  LogSearch,
  MeasuredBucket,
  MeasuredGroups,
  PatternPlace,
  PatternQuestion,
  PatternSample,
  Patterns,
  ProfilePlace,
  RecordSpan,
  SampledError,
  Selection,
  Series,
  ServiceSpan,
  SpanBucket,
  SpanValue,
  StartRecord,
  StartSpan,
  StoredRecord,
  ValuePlace,
} from './questions.ts'

export interface LogStore {
  /** A larger segment might not fit into the memory that a load may take. May grow once the store is open. */
  maxSegmentBytes(): number
  /**
   * Resolves once the segment's records of the given days are durable. The same segment twice stores them once. When it
   * rejects, each day is stored whole or not at all; `loadedDays` says which ones.
   */
  load(segment: Segment): Promise<void>
  /** For each segment the UTC days (since 1970) of which the store has records; segments without any are left out. */
  loadedDays(segmentIds: readonly string[]): Promise<Map<string, Set<number>>>
  /**
   * Whether a segment that a crash left is loaded once more, even where the store seems to have it: one replica may show what
   * no majority of them has yet, and only a load waits for that.
   */
  isLoadedAgain(segmentId: string): boolean
  /**
   * Counts the errors of loaded segments by what groups them. Every error is in exactly one count; of too many kinds the
   * rarest are counted together, with the fingerprint `overflow`. The only question over all projects: for the worker.
   */
  errorsOfSegments(question: ErrorQuestion): Promise<ErrorCount[]>
  project(id: ProjectId): ProjectLogs
  /**
   * Deletes a project's records, all of them or those past a retention, and says whether there were any. Resolves when they
   * can no longer be read; the space is freed later.
   */
  forget(id: ProjectId, past: PastRetention | null): Promise<boolean>
  /** What is known now, without asking the engine. */
  health(): EngineHealth
  /** Lets running calls fail and ends the engine. Nothing that was acknowledged is lost. */
  close(): Promise<void>
}

/**
 * Every answer shows one moment: a segment that is being loaded is seen with all its records of a day or with none. A
 * `signal` that aborts stops the query in the engine.
 */
export interface ProjectLogs {
  /** Newest first. Ids that are unknown, malformed or another project's are left out. At most `MAX_IDS` of them. */
  byIds(ids: readonly string[], signal?: AbortSignal): Promise<StoredRecord[]>
  /** Any number of errors, long texts cut in the middle. An id that is unknown or another project's is left out. */
  samples(ids: readonly string[], signal?: AbortSignal): Promise<SampledError[]>
  /** One page. Records are ordered by time, then by id; the opposite order is exactly the reverse. */
  search(search: LogSearch): Promise<LogPage>
  total(selection: Selection): Promise<number>
  /** How many records are past a retention: for each of its rules in order, and last for the records to which none applies. */
  pastCounts(past: PastRetention, signal?: AbortSignal): Promise<number[]>
  /** Counts for every combination of values that occurs, largest first. */
  groups(selection: Selection, grouping: { fields: readonly Field[]; limit: number }): Promise<Groups>
  /** Counts per bucket of time, and within it per value of a field. Buckets without records are left out. */
  buckets(selection: Selection, bucketing: Bucketing): Promise<BucketCount[]>
  /** The most frequent values of a field, each over time, and all others together: groups and buckets in one reading. */
  series(selection: Selection, question: { bucketUs: number; field: Field; limit: number }): Promise<Series>
  /** What is measured for every combination of values that occurs. Percentiles are close, all else but many distinct values exact. */
  measuredGroups(
    selection: Selection,
    question: { fields: readonly Field[]; measure: FieldMeasure; limit: number },
  ): Promise<MeasuredGroups>
  /** The same per bucket of time, and within it for some values of a field. In no order; empty buckets are left out. */
  measuredBuckets(selection: Selection, question: Bucketing & { measure: FieldMeasure }): Promise<MeasuredBucket[]>
  /**
   * The most frequent patterns of the selection and, in the same reading, of a base: largest first by both counts
   * together, ties by the pattern. No message is read; `patternSamples` has those.
   */
  patterns(selection: Selection, question: PatternQuestion): Promise<Patterns>
  /**
   * The newest record that matches the filter of each pattern at each of the times, in no order; a place without one is
   * left out. Any number of places. Times, not ranges, decide what is read: the range of the selection does not count.
   */
  patternSamples(
    selection: Omit<Selection, 'range'>,
    places: readonly PatternPlace[],
  ): Promise<(PatternPlace & PatternSample)[]>
  /** Errors in many spans, in one reading: for each span, in the order given, the most frequent values, largest first. */
  errorSpans(spans: readonly ErrorSpan[], signal?: AbortSignal): Promise<SpanValue[][]>
  /** All records of environments in many spans, in one reading: for each span, in the order given, how many. */
  recordSpans(spans: readonly RecordSpan[], signal?: AbortSignal): Promise<number[]>
  /** The same by service, and how many are of level error or fatal. */
  serviceSpans(spans: readonly RecordSpan[], signal?: AbortSignal): Promise<ServiceSpan[]>
  /** Errors in many spans over time, in one reading: for each span, in the order given, its buckets that hold any, oldest first. */
  errorBuckets(spans: readonly BucketedSpan[], signal?: AbortSignal): Promise<SpanBucket[][]>
  /**
   * What the records in many places have: for each, in the order given. Errors and others of the same ranges are read
   * together. A page of places is one reading, and one more for errors of ranges that no others are asked for; both again
   * where some places are of one service and some of all.
   *
   * Fields come most frequent first, with the `PROFILE_VALUES` most frequent values of each; names that `PROFILE_FIELDS`
   * others come before are left out. Of our own fields: service, host, logger, release and error.type, where an empty value
   * counts as not having it. Values are as `fields` gives them, long ones by their beginning. The counts of a field with
   * more than a hundred values may be a little too low, never too high.
   */
  profiles(places: readonly ProfilePlace[], signal?: AbortSignal): Promise<Profile[]>
  /** Records with a value in many places, in one reading: for each, in the order given, how many. */
  valueSpans(places: readonly ValuePlace[], signal?: AbortSignal): Promise<number[]>
  /**
   * Records that tell of a start or of settings and are no errors: for each span, in the order given, the newest
   * `START_RECORDS`, newest first. Of each pattern there are at most `START_RECORDS_OF_PATTERN`, so that one which is
   * logged all day does not hide the others. Long messages are cut; of the attributes the first 8 KB are kept.
   */
  startRecords(spans: readonly StartSpan[], signal?: AbortSignal): Promise<StartRecord[][]>
  /** The fields of the newest `FIELD_SAMPLE` records of the selection, most frequent first. With `countsUpTo`, of all records where there are not more. */
  fields(selection: Selection, listing: FieldListing): Promise<FieldList>
  /** Distinct environments and services with how many records, most first; at most `MAX_PLACES` pairs. */
  places(signal?: AbortSignal): Promise<KnownPlace[]>
  lastTimeUs(signal?: AbortSignal): Promise<number | null>
  /** The loads (a segment's records of one day) that have records at or after the time. Each appears whole, at once. */
  loadsSince(timeUs: number, signal?: AbortSignal): Promise<string[]>
  /** Matching records of these loads at or after the time: the newest `limit`, oldest first, and how many there are. */
  ofLoads(loads: readonly string[], search: LoadSearch): Promise<{ records: StoredRecord[]; matching: number }>
}

/** A sealed spool file, RowBinary as `encodeRecord` and `headerRow` write it. */
export type Segment = {
  /** Ours, never a sender's: it is the deduplication token. */
  id: string
  path: string
  /** The UTC days to load, since 1970. */
  days: readonly { day: number; records: number }[]
  bytes: number
}

export type ErrorQuestion = {
  segments: readonly { id: string; days: readonly number[] }[]
  /** Kinds of errors that are also told apart by the value of a field. */
  splits: readonly { projectId: ProjectId; fingerprint: string; by: SplitField }[]
  /** No count crosses one of these moments, which belong to what is before them. */
  cutsUs?: readonly number[] | undefined
}

/** Errors of one kind on one UTC day. */
export type ErrorCount = {
  segmentId: string
  projectId: ProjectId
  /** Exact; empty for the overflow of environments beyond the limit. */
  environment: string
  fingerprint: string
  splitValue: string
  count: number
  firstUs: number
  firstLogId: string
  lastUs: number
}

/** `failed`: it keeps dying; it is still being restarted, and a person should look. */
export const ENGINE_STATES = ['starting', 'ready', 'restarting', 'failed', 'closed'] as const

export type EngineHealth = {
  state: (typeof ENGINE_STATES)[number]
  /** Includes starts that failed. */
  restarts: number
  /** Parts the engine set aside because their files are damaged: records that cannot be read. Null while unknown. */
  detachedParts: number | null
  /** Why it could not be opened, where waiting does not help: a newer version made it, or it is not ours. */
  refusal?: string
}
