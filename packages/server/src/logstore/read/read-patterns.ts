/**
 * Patterns of a selection. Only narrow columns are read to count them; messages, which are most of a table, only where the
 * newest record of a pattern lies. Frequent patterns have theirs side by side at the near end of the range.
 */
import { LEVELS } from '@tidemark/wire/level'
import { MINUTE_US } from '@tidemark/wire/time/units'
import { LEVEL_NUMBER } from '../../model/level.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { compileQuery } from '../query/compile-query.ts'
import {
  type FoundPattern,
  MAX_PATTERNS,
  PATTERN_MESSAGE_CHARACTERS,
  PATTERN_SERVICES,
  PATTERN_SLICES,
  type PatternPlace,
  type PatternQuestion,
  type PatternSample,
  type Patterns,
  type Selection,
} from '../questions.ts'
import { logId, sequenceFromBigInt } from '../schema/log-id.ts'
import { OF_PROJECT, ofProject, type Read } from './read-connection.ts'
import {
  AT_TIMES,
  checked,
  distinctTimes,
  MAX_SLICE_US,
  rangeValues,
  timeOf,
  WITHIN,
  wholeMinutes,
  withinMinutes,
} from './read-range.ts'
import { hashDigits } from './stored-record.ts'

/** Its parameters stay below what a question may have, and its messages below what an answer may. */
const PLACES_A_QUESTION = 2_000
/** Where records of the base are counted: a slice that no record of the range is in. */
const BASE = 65_535

const WITHIN_BASE = `time >= ${timeOf('baseFromUs')} AND time < ${timeOf('baseToUs')}`
const SLICE = 'intDiv(toUnixTimestamp64Micro(time) - {startUs:Int64}, {lengthUs:Int64})'

type Row = Record<'pattern' | 'records' | 'baseRecords' | 'firstUs' | 'lastUs' | 'serviceBits', string> &
  Record<'patterns' | 'total' | 'baseTotal', string> & { levelBits: number; slices: number[]; counts: string[] }

export async function readPatterns(
  read: Read,
  selection: Selection,
  { base, slices, limit }: PatternQuestion,
): Promise<Patterns> {
  const { range, filter, signal } = selection
  const compiled = compileQuery(filter)
  checked(Math.ceil((range.toUs - slices.startUs) / slices.lengthUs), 0, PATTERN_SLICES)
  const services = await servicesOf(read, base === undefined ? [range] : [range, base], signal)
  const rows = await read<Row>(
    statement({ from: ofProject(compiled), where: compiled.where, hasBase: base !== undefined, services }),
    {
      ...compiled.params,
      ...rangeValues(range),
      ...(base === undefined ? {} : { baseFromUs: rangeValues(base).fromUs, baseToUs: rangeValues(base).toUs }),
      ...(services.length === 0 ? {} : { services, bits: services.map((_, at) => 1n << BigInt(at)) }),
      startUs: checked(slices.startUs, 0, range.fromUs),
      lengthUs: checked(slices.lengthUs, 1, MAX_SLICE_US),
      limit: checked(limit, 1, MAX_PATTERNS),
    },
    signal,
    compiled.settings,
  )
  return {
    largest: rows.map((row) => toPattern(row, services)),
    patterns: Number(rows[0]?.patterns ?? 0),
    total: Number(rows[0]?.total ?? 0),
    baseTotal: Number(rows[0]?.baseTotal ?? 0),
  }
}

/**
 * Counted by pattern and slice first, which is as quick as by pattern alone, because records lie in the order of time;
 * and it takes room for the slices that a pattern is in, so a million patterns of one record each do no harm.
 */
function statement({
  from,
  where,
  hasBase,
  services,
}: {
  from: string
  where: string
  hasBase: boolean
  services: readonly string[]
}): string {
  const slice = hasBase ? `if(${WITHIN_BASE}, ${BASE}, ${SLICE})` : SLICE
  const time = hasBase ? `((${WITHIN}) OR (${WITHIN_BASE}))` : WITHIN
  // Both are worked out once for each value that there is, not for each record.
  const service = services.length === 0 ? 'toUInt64(0)' : SERVICE_BIT
  const perSlice = `SELECT pattern, toUInt16(${slice}) AS slice, count() AS part, min(time) AS first, max(time) AS last,
groupBitOr(bitShiftLeft(toUInt8(1), toInt8(level))) AS inLevels, groupBitOr(${service}) AS inServices
FROM ${from} AND ${time} AND (${where}) GROUP BY pattern, slice`
  const isBase = `slice = ${BASE}`
  const own = (name: string, column: string) =>
    `if(records = 0, ${name}If(${column}, ${isBase}), ${name}If(${column}, NOT ${isBase}))`
  const perPattern = `SELECT pattern, sumIf(part, NOT ${isBase}) AS records, sumIf(part, ${isBase}) AS baseRecords,
toUnixTimestamp64Micro(${own('min', 'first')}) AS firstUs, toUnixTimestamp64Micro(${own('max', 'last')}) AS lastUs,
${own('groupBitOr', 'inLevels')} AS levelBits, ${own('groupBitOr', 'inServices')} AS serviceBits,
groupArrayIf(slice, NOT ${isBase}) AS slices, groupArrayIf(part, NOT ${isBase}) AS counts
FROM (${perSlice}) GROUP BY pattern`
  return `SELECT *, count() OVER () AS patterns, sum(records) OVER () AS total, sum(baseRecords) OVER () AS baseTotal
FROM (${perPattern}) ORDER BY records + baseRecords DESC, pattern LIMIT {limit:UInt32}`
}

const SERVICE_BIT = 'transform(toString(service), {services:Array(String)}, {bits:Array(UInt64)}, toUInt64(0))'

/** From the counts per minute that the table keeps. */
async function servicesOf(read: Read, ranges: readonly TimeRange[], signal: AbortSignal | undefined) {
  const minutes = wholeMinutes({
    fromUs: Math.floor(Math.min(...ranges.map(({ fromUs }) => fromUs)) / MINUTE_US) * MINUTE_US,
    toUs: Math.ceil(Math.max(...ranges.map(({ toUs }) => toUs)) / MINUTE_US) * MINUTE_US,
  })
  if (minutes === null) return []
  const rows = await read<{ service: string }>(
    `SELECT service FROM ${OF_PROJECT} AND ${withinMinutes('minutesFrom', 'minutesTo')} AND service != ''
GROUP BY service ORDER BY count() DESC, service LIMIT ${PATTERN_SERVICES}`,
    { minutesFrom: minutes.fromUs / 1e6, minutesTo: minutes.toUs / 1e6 },
    signal,
  )
  return rows.map(({ service }) => service)
}

function toPattern(row: Row, services: readonly string[]): FoundPattern {
  const bits = BigInt(row.serviceBits)
  return {
    pattern: hashDigits(row.pattern),
    count: Number(row.records),
    baseCount: Number(row.baseRecords),
    firstUs: Number(row.firstUs),
    lastUs: Number(row.lastUs),
    slices: row.slices.map((at, index) => ({ at, count: Number(row.counts[index]) })).sort((a, b) => a.at - b.at),
    levels: LEVELS.filter((level) => row.levelBits & (1 << LEVEL_NUMBER[level])).reverse(),
    services: services.filter((_, at) => bits & (1n << BigInt(at))).sort(),
  }
}

type SampleRow = Record<'pattern' | 'timeUs' | 'sequence' | 'said', string>

export async function readPatternSamples(
  read: Read,
  { filter, signal }: Omit<Selection, 'range'>,
  places: readonly PatternPlace[],
): Promise<(PatternPlace & PatternSample)[]> {
  const compiled = compileQuery(filter)
  const query = `SELECT pattern, toUnixTimestamp64Micro(time) AS timeUs, max(seq) AS sequence,
argMax(substringUTF8(message, 1, ${PATTERN_MESSAGE_CHARACTERS}), seq) AS said
FROM ${ofProject(compiled)} AND ${AT_TIMES} AND pattern IN {patterns:Array(UInt64)} AND (${compiled.where})
GROUP BY pattern, time`
  const found: (PatternPlace & PatternSample)[] = []
  // In the order of time, so that what one question reads lies together.
  const ordered = [...places].sort((a, b) => b.timeUs - a.timeUs)
  for (let start = 0; start < ordered.length; start += PLACES_A_QUESTION) {
    const part = ordered.slice(start, start + PLACES_A_QUESTION)
    const asked = new Set(part.map(keyOf))
    const times = distinctTimes(part)
    const patterns = [...new Set(part.map(({ pattern }) => pattern))].map((digits) => BigInt(`0x${digits}`))
    const rows = await read<SampleRow>(query, { ...compiled.params, times, patterns }, signal, compiled.settings)
    found.push(...rows.map(toSample).filter((one) => asked.has(keyOf(one))))
  }
  return found
}

function keyOf({ pattern, timeUs }: PatternPlace): string {
  return `${pattern} ${timeUs}`
}

function toSample({ pattern, timeUs, sequence, said }: SampleRow): PatternPlace & PatternSample {
  const time = Number(timeUs)
  const id = logId({ timeUs: time, sequence: sequenceFromBigInt(BigInt(sequence)) })
  return { pattern: hashDigits(pattern), timeUs: time, id, message: said }
}
