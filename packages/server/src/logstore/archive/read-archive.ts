/**
 * Reads the whole log table for an archive, day by day. What belongs to it is fixed at one moment and stays readable as
 * long as nothing of it expires: a day of a segment is loaded whole or not at all, and is never changed.
 */
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { AppError } from '../../errors.ts'
import { translated } from '../driver-errors.ts'
import { ARCHIVE_SETTINGS, DAYS, DIGEST, RANGES, RECORDS } from './archive-statements.ts'

/** About as many records as are read at once. */
const RECORDS_A_PART = 50_000
/** A segment holds at most 200,000 records of at most a few hundred KB. */
const MAX_PIECES = 4_096
/** An engine that is being replaced is back within seconds. */
const TRIES = 12
const PAUSE_MS = 5_000
const PASSING = new Set(['engine_restarting', 'query_queue_full', 'unavailable'])

/** `before`: segments with this id or a later one are left out, and so are those that still were in the spool. */
export type Settled = { before: string; spooled: readonly string[] }

export type DigestOfDay = {
  records: number
  digest: string
  /** UTC day (since 1970) on which the first of its records is deleted. */
  firstExpiry: number
}

export type LogArchiveReader = {
  /** UTC days since 1970, in order. */
  days(): Promise<number[]>
  digest(day: number): Promise<DigestOfDay>
  /** All records of the day, each in exactly one part: rows in the engine's Native format. */
  parts(day: number): AsyncIterable<Buffer>
}

type Pause = (ms: number) => Promise<unknown>
type Range = { first: string; last: string }

export function readArchive(
  client: () => ClickHouseClient,
  settled: Settled,
  { recordsAPart = RECORDS_A_PART, pause = sleep as Pause } = {},
): LogArchiveReader {
  const ask = <Row>(query: string, params: Record<string, unknown> = {}) =>
    patiently(pause, async () => {
      const query_params = { before: settled.before, spooled: settled.spooled, ...params }
      const answer = await client().query({
        query,
        query_params,
        clickhouse_settings: ARCHIVE_SETTINGS,
        format: 'JSONEachRow',
      })
      return await answer.json<Row>()
    })
  const ranges = (day: number, range: Range, records: number) => ask<Range>(RANGES, { day, ...range, records })
  const read = (day: number, { first, last }: Range, piece: number, pieces: number) =>
    patiently(pause, async () => {
      const query_params = { ...settled, day, first, last, piece, pieces }
      const { stream } = await client().exec({ query: RECORDS, query_params, clickhouse_settings: ARCHIVE_SETTINGS })
      return await bytesOf(stream)
    })

  /** What is too large at once is read in smaller ranges, and a single segment in pieces. */
  async function* readRange(day: number, range: Range, records: number): AsyncIterable<Buffer> {
    if (range.first === range.last) {
      yield* readPiece(day, range, 0, 1)
      return
    }
    const whole = await fitting(() => read(day, range, 0, 1))
    if (whole !== undefined) yield whole
    else {
      // Of one record each, a range is one segment.
      const fewer = Math.max(1, Math.floor(records / 4))
      for (const smaller of await ranges(day, range, fewer)) yield* readRange(day, smaller, fewer)
    }
  }
  async function* readPiece(day: number, segment: Range, piece: number, pieces: number): AsyncIterable<Buffer> {
    const bytes = await fitting(() => read(day, segment, piece, pieces))
    if (bytes !== undefined) yield bytes
    else if (pieces >= MAX_PIECES)
      throw new AppError('internal', `A record of ${segment.first} is too large to be read.`)
    else {
      yield* readPiece(day, segment, piece, pieces * 2)
      yield* readPiece(day, segment, piece + pieces, pieces * 2)
    }
  }

  return {
    days: async () => (await ask<{ day: number }>(DAYS)).map(({ day }) => day),
    async digest(day) {
      const [row] = await ask<{ records: string; digest: string; firstExpiry: number }>(DIGEST, { day })
      return { records: Number(row?.records ?? 0), digest: row?.digest ?? '', firstExpiry: row?.firstExpiry ?? 0 }
    },
    async *parts(day) {
      const everything = { first: '', last: '~' }
      for (const range of await ranges(day, everything, recordsAPart)) yield* readRange(day, range, recordsAPart)
    },
  }
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Undefined when the answer would be larger than an answer may be. */
async function fitting(read: () => Promise<Buffer>): Promise<Buffer | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError && error.code === 'query_too_large') return undefined
    throw error
  }
}

async function patiently<T>(pause: Pause, work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await translated(work)
    } catch (error) {
      if (left <= 1 || !(error instanceof AppError) || !PASSING.has(error.code)) throw error
      await pause(PAUSE_MS)
    }
  }
}
