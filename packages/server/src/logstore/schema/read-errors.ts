/**
 * Finds the errors among the rows of a segment, with the place of their fingerprint, so that it can be written anew before
 * they are loaded. Reads by the list of columns, as everything else does that knows the format.
 */
import { LEVELS } from '@tidemark/wire/level'
import { LEVEL_NUMBER } from '../../model/level.ts'
import type { LogRecord } from '../../model/log-record.ts'
import { COLUMNS } from './columns.ts'

export type ErrorRow = {
  /** Of its eight bytes, little endian. */
  fingerprintAt: number
  /** The bytes of all that its fingerprint is made of: rows in which they are equal are of one kind. */
  kind: Buffer[]
  /** Costs far more than to compare it. */
  read(): ReadError
}

export type ReadError = Pick<LogRecord, 'level' | 'service' | 'logger' | 'release' | 'message' | 'error'>

type Skip = (rows: Buffer, at: number) => number

/** How far a value reaches, by the type of its column. */
const SKIPS: Skip[] = COLUMNS.map(({ name, type }) => {
  if (type === 'String' || type === 'LowCardinality(String)') return skipText
  if (type.startsWith('Map(')) return skipTexts
  if (type === 'UInt64' || type.startsWith('DateTime64')) return (_, at) => at + 8
  if (type === 'Bool' || type.startsWith('Enum8(')) return (_, at) => at + 1
  if (type === 'Date') return (_, at) => at + 2
  throw new Error(`nobody has said how long a value of ${name} is`)
})

const AT = Object.fromEntries(COLUMNS.map(({ name }, at) => [name, at])) as Record<string, number>
/** What `read` reads. */
const KIND = ['level', 'service', 'logger', 'release', 'message', 'error_type', 'error_message', 'error_stack']
const LEVEL_OF = new Map(LEVELS.map((level) => [LEVEL_NUMBER[level], level]))

/**
 * `rows` may begin with the header of its frame. Only errors of a release that is wanted are read; every other row is a
 * null, so that a caller that walks over many can stop between any two.
 */
export function* errorsIn(rows: Buffer, isWanted: (release: string) => boolean): Generator<ErrorRow | null> {
  for (let at = 0; at < rows.length; ) {
    const isHeader = rows[at] !== 0
    at = skipText(rows, at)
    // Of this row alone: it may be read after the next ones.
    const places = new Array<number>(SKIPS.length + 1)
    for (let column = 0; column < SKIPS.length; column++) {
      places[column] = at
      at = SKIPS[column]!(rows, at)
    }
    places[SKIPS.length] = at
    const fingerprintAt = places[AT.fingerprint!]!
    const isError = !isHeader && rows.readBigUInt64LE(fingerprintAt) !== 0n
    const release = isError ? textAt(rows, places[AT.release!]!) : ''
    if (release === '' || !isWanted(release)) {
      yield null
      continue
    }
    const kind = KIND.map((name) => rows.subarray(places[AT[name]!]!, places[AT[name]! + 1]!))
    yield { fingerprintAt, kind, read: () => readError(rows, places) }
  }
}

function readError(rows: Buffer, places: readonly number[]): ReadError {
  const text = (name: string) => textAt(rows, places[AT[name]!]!)
  const error = { type: text('error_type'), message: text('error_message'), stack: text('error_stack') }
  return {
    level: LEVEL_OF.get(rows[places[AT.level!]!]!) ?? 'error',
    service: text('service'),
    logger: text('logger'),
    release: text('release'),
    message: text('message'),
    error: error.type === '' && error.message === '' && error.stack === '' ? null : error,
  }
}

function textAt(rows: Buffer, at: number): string {
  const start = skipVarint(rows, at)
  return rows.toString('utf8', start, start + varintAt(rows, at))
}

function skipText(rows: Buffer, at: number): number {
  return skipVarint(rows, at) + varintAt(rows, at)
}

function skipTexts(rows: Buffer, at: number): number {
  let next = skipVarint(rows, at)
  for (let left = 2 * varintAt(rows, at); left > 0; left--) next = skipText(rows, next)
  return next
}

function varintAt(rows: Buffer, at: number): number {
  let value = 0
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = rows.readUInt8(at++)
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  return value
}

function skipVarint(rows: Buffer, at: number): number {
  let next = at
  while (rows.readUInt8(next++) >= 0x80);
  return next
}
