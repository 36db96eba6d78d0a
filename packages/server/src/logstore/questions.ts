/** What the log store is asked and what it answers, shape by shape, and how much of each. `ProjectLogs` says what they mean. */
import type { Level } from '@tidemark/wire/level'
import type { Query } from '@tidemark/wire/query/ast'
import type { Field } from '@tidemark/wire/query/fields'
import type { Measure } from '@tidemark/wire/reading/measure'
import type { ErrorKind } from '../model/grouping-rule.ts'
import type { LogRecord } from '../model/log-record.ts'
import type { TimeRange } from '../model/time-range.ts'

export const FIELD_SAMPLE = 20_000
/** At the limit a question fails with `query_timeout`. */
export const MAX_READ_SECONDS = 20
/** The most frequent values of a span; rarer ones are left out. */
export const SPAN_VALUES = 100
export const SPAN_BUCKETS = 2_000
export const MAX_PATTERNS = 5_000
export const PATTERN_SLICES = 1_001
export const PATTERN_SERVICES = 63
export const PATTERN_MESSAGE_CHARACTERS = 8_192
/** Columns whose values a profile counts: without the environment, of which a place has one, and ids, which never repeat. */
export const PROFILED = ['service', 'host', 'logger', 'release', 'error.type'] as const
export const PROFILE_VALUES = 20
export const PROFILE_FIELDS = 60
export const START_RECORDS = 40
export const START_RECORDS_OF_PATTERN = 10
export const MAX_PLACES = 5_000
export const MAX_IDS = 1_000

/** What a question is about. The empty query matches every record. */
export type Selection = { range: TimeRange; filter: Query; signal?: AbortSignal | undefined }

export type Order = 'newest' | 'oldest'

export type LogSearch = Selection & {
  order: Order
  limit: number
  /** The id of a record: only what comes after it in the order. It need not exist anymore. */
  after?: string | undefined
}

/** Fewer than `limit` records when they are so large that no more fit; only `isEnd` says that there are no more. */
export type LogPage = { records: StoredRecord[]; isEnd: boolean }

/** A null stands for records without the field. `groups` counts all of them, also those beyond the limit. */
export type Groups = { largest: { values: (string | null)[]; count: number }[]; groups: number; total: number }

/**
 * Buckets begin at whole multiples since 1970, or since `originUs`, which is not after the range. `values`: those to tell
 * apart; an empty text is for records without.
 */
export type Bucketing = {
  bucketUs: number
  originUs?: number | undefined
  split?: { field: Field; values: readonly string[] } | undefined
}
/** `value` is null without a split, and for the records whose value is not one of those to tell apart. */
export type BucketCount = { startUs: number; value: string | null; count: number }

type Point = { startUs: number; count: number }
/** Largest first; a null value stands for records without the field. `groups` and `total` are of all of them. */
export type Series = {
  largest: { value: string | null; count: number; buckets: Point[] }[]
  others: Point[]
  groups: number
  total: number
}

/** `distinct` counts the different values of the field; all others are of its numbers, and skip what is none. */
export type FieldMeasure = { kind: Exclude<Measure, 'count'>; field: Field }
/** Highest first, those without a number last, ties by how many records. Without fields, one group of all records. */
export type MeasuredGroups = {
  highest: { values: (string | null)[]; count: number; measured: number | null }[]
  groups: number
  total: number
}
/** `of`: all records of the bucket, those with one of the values to tell apart, or those with none of them. */
export type MeasuredBucket = { startUs: number; count: number; measured: number | null } & (
  | { of: 'all' }
  | { of: 'others' }
  | { of: 'value'; value: string }
)

export type PatternQuestion = {
  /** Does not overlap with the range of the selection. */
  base?: TimeRange | undefined
  /** Equal slices of the range: the first begins at or before it, and there are at most `PATTERN_SLICES`. */
  slices: { startUs: number; lengthUs: number }
  limit: number
}
/** `patterns`, `total` and `baseTotal` also count what is beyond the limit. */
export type Patterns = { largest: FoundPattern[]; patterns: number; total: number; baseTotal: number }
/** Times, levels and services are those of the records in the range; where it has none, of those in the base. */
export type FoundPattern = {
  /** 16 hexadecimal digits. */
  pattern: string
  count: number
  baseCount: number
  firstUs: number
  lastUs: number
  /** Of the range only; those that hold any, oldest first. */
  slices: SpanBucket[]
  /** The gravest first. */
  levels: Level[]
  /** In the order of the alphabet; only those among the `PATTERN_SERVICES` most frequent of that time. */
  services: string[]
}
export type PatternPlace = { pattern: string; timeUs: number }
/** A message by its first `PATTERN_MESSAGE_CHARACTERS`, which are more than decide its pattern. */
export type PatternSample = { id: string; message: string }

/** Errors of some kinds. No record may belong to two of them. */
export type ErrorSpan = {
  range: TimeRange
  kinds: readonly ErrorKind[]
  /** To the letter; null for all of them. */
  environment: string | null
  /** What is told apart; null counts them together, under the empty value. */
  by: 'release' | 'environment' | null
}
export type RecordSpan = { range: TimeRange; environment: string }
type RecordCounts = { records: number; errors: number }
/** Of all records, and of the `SPAN_VALUES` services with most, largest first. Records without a service have the empty one. */
export type ServiceSpan = RecordCounts & { services: (RecordCounts & { service: string })[] }

/** The first bucket begins with the range, and there are at most `SPAN_BUCKETS`. */
export type BucketedSpan = Pick<ErrorSpan, 'range' | 'kinds'> & { environment: string; bucketUs: number }
/** `at` counts buckets from the beginning of the range, from 0. */
export type SpanBucket = { at: number; count: number }

/** Where records are looked at: whole ranges, which do not overlap. A null service stands for all of them. */
export type Place = { ranges: readonly TimeRange[]; environment: string; service: string | null }
/** Errors of the kinds, or all records that are none of them; of a split fingerprint, the other parts are others. */
export type ProfilePlace = Place & { kinds: readonly ErrorKind[]; of: 'errors' | 'others' }
/** Records that are none of the kinds and have exactly this value, as a profile shows it. */
export type ValuePlace = Place & { kinds: readonly ErrorKind[]; field: Field; value: string }

export type StartSpan = { range: TimeRange; environment: string; service: string }
export type StartRecord = Pick<
  StoredRecord,
  'id' | 'timeUs' | 'message' | 'pattern' | 'host' | 'release' | 'attributes'
>

/** An empty value stands for records without one. */
export type SpanValue = { value: string; count: number }

export type FieldListing = {
  /** Only this one. */
  field?: Field | undefined
  /** Names that begin with it; with `field`, values that do. */
  prefix?: string | undefined
  /** Names, or values of `field`, that contain it. */
  contains?: string | undefined
  /** Counts all records of a window with at most so many, and of a larger one what the counts per minute answer. */
  countsUpTo?: { ofColumns: number; ofAttribute: number } | undefined
  maxFields: number
  maxValues: number
}
/** `total`: records of the selection; null where only the newest `sampled` were counted. */
export type FieldList = { total: number | null; sampled: number; fields: FoundField[] }
export type FoundField = {
  field: Field
  type: 'text' | 'number' | 'boolean' | 'mixed'
  /** Number of the `sampled` records that have the field. */
  records: number
  sampled: number
  /** How many different values these have. */
  distinct: number
  values: { value: string; count: number }[]
  /** Only when one attribute is asked for without a prefix, and any of its values is a number. */
  numbers?: NumberSummary | undefined
}
/** `count`: how many values of the sample are numbers. Percentiles are close, all else exact. */
export type NumberSummary = { count: number; min: number; p50: number; p95: number; p99: number; max: number }

export type KnownPlace = { environment: string; service: string; count: number }
export type LoadSearch = { sinceUs: number; filter: Query; limit: number; signal?: AbortSignal | undefined }

export type SampledError = { id: string } & Pick<
  LogRecord,
  'level' | 'environmentDefaulted' | 'service' | 'logger' | 'release' | 'message' | 'error'
>

export type StoredRecord = LogRecord & {
  id: string
  /** 16 hexadecimal digits. */
  pattern: string
  /** 16 hexadecimal digits; null for a record that is not an error. */
  fingerprint: string | null
  receivedMs: number
}
