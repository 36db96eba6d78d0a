/**
 * Records that tell of a start or of settings. First their keys, from narrow columns; then the records by their keys, so
 * that a service that says it a million times costs no memory.
 */
import { START_RECORDS, START_RECORDS_OF_PATTERN, type StartRecord, type StartSpan } from '../questions.ts'
import { attributeValue } from '../schema/attribute-text.ts'
import { logId, sequenceFromBigInt } from '../schema/log-id.ts'
import { OF_PROJECT, type Read, type Values } from './read-connection.ts'
import { AT_TIMES, distinctTimes } from './read-range.ts'
import { type Line, linesBySlot, lineValues, stretchesOf, tableOf } from './span-table.ts'
import { TELLS_OF_START } from './start-words.ts'
import { hashDigits } from './stored-record.ts'

/** With the texts below, an answer stays far below what it may be. */
const RECORDS_A_QUESTION = 500
const MESSAGE_CHARACTERS = 2_048
/** The first attributes that fit. */
const ATTRIBUTE_BYTES = 8_192

type StartLine = Line & { service: string }
type Key = { slot: number; timeUs: string; sequence: string }

export async function readStartRecords(
  read: Read,
  spans: readonly StartSpan[],
  signal?: AbortSignal,
): Promise<StartRecord[][]> {
  const lines = spans
    .map((span, slot): StartLine => ({ ...span, slot }))
    .filter(({ range }) => range.fromUs < range.toUs)
  const keys: Key[] = []
  for (const part of linesBySlot(lines, ({ service }) => [service])) {
    const { sql, values } = keyStatement(part)
    keys.push(...(await read<Key>(sql, values, signal)))
  }
  const records = await byKeys(read, keys, signal)
  const found: StartRecord[][] = spans.map(() => [])
  for (const key of keys) {
    // One that is gone since the first question is left out.
    const record = records.get(nameOf(key))
    if (record !== undefined) found[key.slot]?.push(record)
  }
  return found
}

function keyStatement(lines: readonly StartLine[]): { sql: string; values: Values } {
  const stretches = stretchesOf(
    lines.map(({ range }) => range),
    'start',
  )
  const services = [...new Set(lines.map(({ service }) => service))]
  const found = `SELECT environment, service, toUnixTimestamp64Micro(time) AS at, seq, pattern
  FROM ${OF_PROJECT} AND (${stretches.sql}) AND environment IN {startPlaces:Array(String)} AND service IN {services:Array(String)} AND ${TELLS_OF_START}`
  const sql = `SELECT slot, at AS timeUs, seq AS sequence FROM (
  SELECT slot, at, seq FROM (${found}) AS found
  INNER JOIN (SELECT ${tableOf('start')}, {services:Array(String)}[{serviceOf:Array(UInt32)}[line]] AS named) AS asked ON found.environment = asked.place AND found.service = asked.named
  WHERE at >= span_from AND at < span_to ORDER BY slot, at DESC, seq DESC LIMIT ${START_RECORDS_OF_PATTERN} BY slot, pattern)
ORDER BY slot, at DESC, seq DESC LIMIT ${START_RECORDS} BY slot`
  const serviceOf = lines.map(({ service }) => services.indexOf(service) + 1)
  return { sql, values: { ...stretches.values, ...lineValues(lines, 'start'), services, serviceOf } }
}

const FIELDS = [
  'toUnixTimestamp64Micro(time) AS timeUs',
  'seq AS sequence',
  `substringUTF8(message, 1, ${MESSAGE_CHARACTERS}) AS said`,
  'pattern',
  'host',
  'release',
  `arrayCount(upto -> upto <= ${ATTRIBUTE_BYTES}, arrayCumSum(arrayMap((k, v) -> length(k) + length(v), mapKeys(attributes), mapValues(attributes)))) AS fitting`,
  'arraySlice(mapKeys(attributes), 1, fitting) AS keys',
  'arraySlice(mapValues(attributes), 1, fitting) AS texts',
].join(', ')

type Row = Omit<Key, 'slot'> & { said: string; pattern: string; host: string; release: string } & {
  keys: string[]
  texts: string[]
}

async function byKeys(read: Read, keys: readonly Key[], signal?: AbortSignal): Promise<Map<string, StartRecord>> {
  const distinct = [...new Map(keys.map((key) => [nameOf(key), key])).values()]
  const records = new Map<string, StartRecord>()
  for (let start = 0; start < distinct.length; start += RECORDS_A_QUESTION) {
    const part = distinct.slice(start, start + RECORDS_A_QUESTION)
    const times = distinctTimes(part.map(({ timeUs }) => ({ timeUs: Number(timeUs) })))
    const rows = await read<Row>(
      `SELECT ${FIELDS} FROM ${OF_PROJECT} AND ${AT_TIMES} AND seq IN {seqs:Array(UInt64)}`,
      { times, seqs: part.map(({ sequence }) => BigInt(sequence)) },
      signal,
    )
    for (const row of rows) records.set(nameOf(row), toStartRecord(row))
  }
  return records
}

function nameOf({ timeUs, sequence }: Omit<Key, 'slot'>): string {
  return `${timeUs} ${sequence}`
}

function toStartRecord({ sequence, said, keys, texts, ...row }: Row): StartRecord {
  const timeUs = Number(row.timeUs)
  return {
    id: logId({ timeUs, sequence: sequenceFromBigInt(BigInt(sequence)) }),
    timeUs,
    message: said,
    pattern: hashDigits(row.pattern),
    host: row.host,
    release: row.release,
    attributes: new Map(keys.map((key, at) => [key, attributeValue(texts[at] ?? '')])),
  }
}
