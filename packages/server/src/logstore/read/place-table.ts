/**
 * Places (ranges of time, an environment, a service) as a table that records are joined with. The ends of all ranges cut
 * time into pieces, and a range is the pieces it covers; so a record finds the places it belongs to by what equals,
 * however many ranges there are and however they overlap between places.
 */
import type { ErrorKind } from '../../model/grouping-rule.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { Place } from '../questions.ts'
import { fingerprintsOf, isOfKinds, type KindOfPlace } from './error-kinds.ts'
import type { Room } from './question-parts.ts'
import { OF_PROJECT, type Values } from './read-connection.ts'
import { checkedTime } from './read-range.ts'
import { stretchesOf } from './span-table.ts'

export type AskedPlace = Place & { kinds: readonly ErrorKind[] }

/** A range is a slice of the sorted edges: as many numbers as it has pieces would be too many for a parameter. */
const PLACE_TABLE = `SELECT place_no, {environments:Array(String)}[place_no] AS place, {services:Array(String)}[place_no] AS named,
  arrayJoin(arraySlice({edges:Array(Int64)}, first_edge, pieces_of_range)) AS piece_of`
const PLACE_RANGES =
  'FROM (SELECT 1) ARRAY JOIN {placeOf:Array(UInt32)} AS place_no, {firstEdges:Array(UInt32)} AS first_edge, {piecesOf:Array(UInt32)} AS pieces_of_range'

/**
 * `found` is a SELECT of the records that may belong to a place, `asked` one of the places, and `join` what is between ON
 * and WHERE. `isOfKinds` tells the records of the place's kinds from all others. A place is known by its number, from 1.
 */
export type PlaceTable = {
  found: (columns: string) => string
  asked: string
  join: string
  isOfKinds: string
  values: Values
}

/** All places are of one service, or none is. */
export function placeTable(places: readonly AskedPlace[]): PlaceTable {
  const { condition, values } = conditionOf(places)
  const kinds = isOfKinds(kindsOf(places))
  return {
    found: (columns) =>
      `SELECT environment, service, fingerprint${kinds.columns}, ${PIECE} AS piece, ${columns} FROM ${condition}`,
    asked: `${PLACE_TABLE} ${PLACE_RANGES}`,
    join: inPlace(places),
    isOfKinds: kinds.condition,
    values: { ...values, ...kinds.values },
  }
}

/** Where only records of the kinds are asked for: others are not read, and a record is paired with places of its kind alone. */
export function errorPlaceTable(places: readonly AskedPlace[]): PlaceTable {
  const table = placeTable(places)
  return {
    ...table,
    found: (columns) => `${table.found(columns)} AND fingerprint IN {fingerprints:Array(UInt64)}`,
    asked: `${PLACE_TABLE}, arrayJoin({kindsOf:Array(Array(UInt64))}[place_no]) AS kind ${PLACE_RANGES}`,
    join: `${table.join} AND found.fingerprint = asked.kind`,
    values: {
      ...table.values,
      fingerprints: fingerprintsOf(kindsOf(places)),
      kindsOf: places.map(({ kinds }) => fingerprintsOf(kinds)),
    },
  }
}

function kindsOf(places: readonly AskedPlace[]): KindOfPlace[] {
  return places.flatMap(({ kinds }, at) => kinds.map((kind) => ({ ...kind, placeNo: at + 1 })))
}

const PIECE = 'roundDown(toUnixTimestamp64Micro(time), {edges:Array(Int64)})'

/** What is not equal would be told apart only after each record was paired with all places of its environment. */
function inPlace(places: readonly AskedPlace[]): string {
  const inEnvironment = 'found.piece = asked.piece_of AND found.environment = asked.place'
  return areNamed(places) ? `${inEnvironment} AND found.service = asked.named` : inEnvironment
}

function areNamed(places: readonly AskedPlace[]): boolean {
  return places.every(({ service }) => service !== null)
}

/** Those of one service and those of all of them. */
export function byService<One extends Place>(places: readonly One[]): One[][] {
  return [places.filter(({ service }) => service !== null), places.filter(({ service }) => service === null)]
}

function conditionOf(places: readonly AskedPlace[]): { condition: string; values: Values } {
  const ranges = places.flatMap((place, at) =>
    place.ranges.filter(isSome).map((range) => ({ ...range, place: at + 1 })),
  )
  const edges = [...new Set(ranges.flatMap(({ fromUs, toUs }) => [checkedTime(fromUs), checkedTime(toUs)]))]
  edges.sort((a, b) => a - b)
  const indexOf = new Map(edges.map((edge, at) => [edge, at]))
  const slices = ranges.map(({ fromUs, toUs }) => ({ from: indexOf.get(fromUs)!, to: indexOf.get(toUs)! }))
  const stretches = stretchesOf(ranges, 'place')
  const ofServices = areNamed(places) ? ' AND service IN {services:Array(String)}' : ''
  // What lies between the ranges of a stretch is told apart by its piece, before the long columns are read.
  const inPieces = stretches.isExact ? '' : ' AND piece IN {pieces:Array(Int64)}'
  return {
    condition: `${OF_PROJECT} AND (${stretches.sql}) AND environment IN {environments:Array(String)}${ofServices}${inPieces}`,
    values: {
      ...stretches.values,
      environments: places.map(({ environment }) => environment),
      services: places.map(({ service }) => service ?? ''),
      placeOf: ranges.map(({ place }) => place),
      firstEdges: slices.map(({ from }) => from + 1),
      piecesOf: slices.map(({ from, to }) => to - from),
      edges,
      pieces: edges.filter((_, at) => slices.some(({ from, to }) => at >= from && at < to)),
    },
  }
}

/** Places with the same one are read once. */
export function keyOf({ ranges, environment, service, kinds }: AskedPlace): string {
  return JSON.stringify([ranges, environment, service, kinds])
}

export function roomOf({ ranges, environment, service, kinds }: AskedPlace): Room {
  const texts = [environment, service ?? '', ...kinds.map(({ split }) => split?.value ?? '')]
  return { numbers: ranges.length + kinds.length, texts }
}

/** Of an empty place there is nothing to ask. */
export function isAsked({ ranges }: Place): boolean {
  return ranges.some(isSome)
}

function isSome({ fromUs, toUs }: TimeRange): boolean {
  return fromUs < toUs
}
