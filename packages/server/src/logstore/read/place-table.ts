/**
 * Places (ranges of time, an environment, a service) as a table that records are joined with. The ends of all ranges cut
 * time into pieces, and a range is the pieces it covers; so a record finds the places it belongs to by what equals,
 * however many ranges there are and however they overlap between places.
 */

import type { ErrorKind } from '../../model/grouping-rule.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { Place } from '../log-store.ts'
import { fingerprintsOf, KIND_TABLE, kindValues, noneOfKinds, splitting } from './error-kinds.ts'
import type { Room } from './question-parts.ts'
import { OF_PROJECT, type Values } from './read-connection.ts'
import { checkedTime } from './read-range.ts'
import { stretchesOf } from './span-table.ts'

export type AskedPlace = Place & { kinds: readonly ErrorKind[] }

/** A range is a slice of the sorted edges: as many numbers as it has pieces would be too many for a parameter. */
const PLACE_TABLE = `SELECT place_no, {environments:Array(String)}[place_no] AS place, {services:Array(String)}[place_no] AS named,
  arrayJoin(arraySlice({edges:Array(Int64)}, first_edge, pieces_of_range)) AS piece_of
FROM (SELECT 1) ARRAY JOIN {placeOf:Array(UInt32)} AS place_no, {firstEdges:Array(UInt32)} AS first_edge, {piecesOf:Array(UInt32)} AS pieces_of_range`

/**
 * `found` is a SELECT of the records that may belong to a place, `asked` one of the places, and `join` what is between
 * ON and the end of WHERE. A place is known by its number, from 1.
 */
export type PlaceTable = { found: (columns: string) => string; asked: string; join: string; values: Values }

/** Records that are none of the kinds of their place. As below, all places are of one service, or none is. */
export function othersTable(places: readonly AskedPlace[]): PlaceTable {
  const kinds = places.flatMap((place) => place.kinds)
  const { columns: splits } = splitting(kinds)
  const { condition, values } = conditionOf(places)
  return {
    found: (columns) =>
      `SELECT environment, service, fingerprint${splits}, ${PIECE} AS piece, ${columns} FROM ${condition}`,
    asked: PLACE_TABLE,
    join: `${inPlace(places)}${kinds.length === 0 ? '' : ` WHERE ${noneOfKinds(kinds)}`}`,
    values: { ...values, ...(kinds.length > 0 ? kindListsOf(places) : {}) },
  }
}

/** Errors of the kinds of their place. Those of other kinds are not read. */
export function errorsTable(places: readonly AskedPlace[]): PlaceTable {
  const kinds = places.flatMap((place) => place.kinds)
  const split = splitting(kinds)
  const { condition, values } = conditionOf(places)
  return {
    found: (columns) =>
      `SELECT environment, service, fingerprint${split.columns}, ${PIECE} AS piece, ${columns} FROM ${condition} AND fingerprint IN {fingerprints:Array(UInt64)}`,
    asked: `SELECT * FROM (${PLACE_TABLE}) AS places INNER JOIN (SELECT ${KIND_TABLE}) AS kinds ON places.place_no = kinds.place_of_kind`,
    join: `${inPlace(places)} AND found.fingerprint = asked.kind WHERE 1${split.condition}`,
    values: { ...values, ...kindListsOf(places), fingerprints: fingerprintsOf(kinds) },
  }
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
  return {
    condition: `${OF_PROJECT} AND (${stretches.sql}) AND environment IN {environments:Array(String)}${ofServices} AND ${PIECE} IN {pieces:Array(Int64)}`,
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

function kindListsOf(places: readonly AskedPlace[]): Values {
  const kinds = places.flatMap((place) => place.kinds)
  return { ...kindValues(kinds), kindOf: places.flatMap((place, at) => place.kinds.map(() => at + 1)) }
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
