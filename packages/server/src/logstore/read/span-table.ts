/**
 * Many spans of time as a table that records are joined with, so that all of them cost one statement. The columns of the
 * table are lists, and those are parameters of the statement.
 */
import type { TimeRange } from '../../model/time-range.ts'
import { questionParts } from './question-parts.ts'
import type { Values } from './read-connection.ts'
import { checkedTime, timeOf, withinMinutes } from './read-range.ts'

const SPANS_A_QUESTION = 400
/**
 * Stretches of time that are read; beyond this, those with the smallest gaps between them become one. With four times as
 * many the engine takes longer to plan the statement than to answer it.
 */
const MAX_STRETCHES = 16

/** A line of the table: records of one kind, counted for the span at `slot`. */
export type Line = { slot: number; range: TimeRange; environment: string }
/** Whose lists they are, where one statement has several. */
type Table = 'error' | 'minute' | 'end' | 'start'

/** `name` keeps the lists of two tables in one statement apart. */
export function tableOf(name: Table): string {
  const list = (values: string, type: string) => `{${name}${values}:Array(${type})}`
  return `arrayJoin(arrayEnumerate(${list('Slots', 'UInt32')})) AS line, ${list('Slots', 'UInt32')}[line] AS slot, ${list('Froms', 'Int64')}[line] AS span_from, ${list('Tos', 'Int64')}[line] AS span_to, ${list('Places', 'String')}[${list('PlaceOf', 'UInt32')}[line]] AS place`
}

export function lineValues(lines: readonly Line[], name: Table): Values {
  const places = [...new Set(lines.map(({ environment }) => environment))]
  return {
    [`${name}Slots`]: lines.map(({ slot }) => slot),
    [`${name}Froms`]: lines.map(({ range }) => checkedTime(range.fromUs)),
    [`${name}Tos`]: lines.map(({ range }) => checkedTime(range.toUs)),
    [`${name}Places`]: places,
    [`${name}PlaceOf`]: lines.map(({ environment }) => places.indexOf(environment) + 1),
  }
}

/** `textsOf` are texts of a line beside its environment. A span is never split: its values are ranked together. */
export function* linesBySlot<One extends Line>(
  lines: readonly One[],
  textsOf: (line: One) => string[] = () => [],
): Generator<One[]> {
  const spans = new Map<number, One[]>()
  for (const line of lines) {
    const span = spans.get(line.slot)
    if (span === undefined) spans.set(line.slot, [line])
    else span.push(line)
  }
  const room = (span: readonly One[]) => ({
    numbers: span.length,
    texts: span.flatMap((line) => [line.environment, ...textsOf(line)]),
  })
  for (const part of questionParts([...spans.values()], SPANS_A_QUESTION, room)) yield part.flat()
}

/** `isExact`: nothing between the ranges is read. */
type Stretches = { sql: string; values: Values; isExact: boolean }

/** The time that the ranges cover, as a condition that the order of the table answers. */
export function stretchesOf(ranges: readonly TimeRange[], name: Table | 'place'): Stretches {
  const values: Values = {}
  const covered = joined(ranges)
  const read = withFewerGaps(covered)
  const conditions = read.map(({ fromUs, toUs }, at) => {
    const [from, to] = [`${name}From${at}`, `${name}To${at}`]
    const inMinutes = name === 'minute'
    values[from] = inMinutes ? fromUs / 1e6 : fromUs
    values[to] = inMinutes ? toUs / 1e6 : toUs
    return inMinutes ? `(${withinMinutes(from, to)})` : `(time >= ${timeOf(from)} AND time < ${timeOf(to)})`
  })
  return { sql: conditions.join(' OR '), values, isExact: read.length === covered.length }
}

function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const stretches: TimeRange[] = []
  for (const { fromUs, toUs } of [...ranges].sort((a, b) => a.fromUs - b.fromUs)) {
    const last = stretches.at(-1)
    if (last !== undefined && fromUs <= last.toUs) last.toUs = Math.max(last.toUs, toUs)
    else stretches.push({ fromUs, toUs })
  }
  return stretches
}

function withFewerGaps(covered: readonly TimeRange[]): TimeRange[] {
  const stretches = [...covered]
  while (stretches.length > MAX_STRETCHES) {
    const gaps = stretches.slice(1).map(({ fromUs }, at) => fromUs - stretches[at]!.toUs)
    const at = gaps.indexOf(Math.min(...gaps))
    stretches.splice(at, 2, { fromUs: stretches[at]!.fromUs, toUs: stretches[at + 1]!.toUs })
  }
  return stretches
}
