/**
 * What a query means, apart from how it was typed. Trees are in one normal form (no `and` within `and`, no `or` within
 * `or`, no double `not`, at least two parts), which the three builders at the end keep: equal meaning of brackets gives
 * equal trees, and a tree can be printed and read back.
 */

import type { Level } from '../level.ts'
import type { Amount } from './amount.ts'
import type { Field } from './fields.ts'

/** `root` is null for the empty query, which every record matches. */
export type Query = { root: Expression | null }

export type Expression = And | Or | Not | Term
type And = { kind: 'and'; parts: Expression[] }
type Or = { kind: 'or'; parts: Expression[] }
type Not = { kind: 'not'; part: Expression }
export type Term = TextTerm | FieldTerm | HasTerm

/** Offsets in the text that was parsed: from the first character to just after the last. */
export type Span = { from: number; to: number }
/** Of a term that was not typed. */
export const NOWHERE: Span = { from: 0, to: 0 }

/** A free word, phrase, wildcard or regular expression: about the message. */
type TextTerm = { kind: 'text'; match: TextMatch; span: Span }
export type FieldTerm = { kind: 'field'; field: Field; match: Match; span: Span }
/** The record has the field at all. */
type HasTerm = { kind: 'has'; field: Field; span: Span }

export type TextMatch = Literal | Wildcard | Regex
export type Match = TextMatch | Compare | Range

/** Quoted text is a phrase where the field holds prose, and the same as unquoted text everywhere else. */
type Literal = { kind: 'literal'; value: string; quoted: boolean }
/** The texts between the stars, at least two; the first and last may be empty. */
export type Wildcard = { kind: 'wildcard'; pieces: string[] }
/** RE2, case-sensitive, found anywhere in the value. Without certain faults; others only the service can find: RE2 is not part of a browser. */
type Regex = { kind: 'regex'; source: string }
export type Comparison = '>' | '>=' | '<' | '<='
export type Compare = { kind: 'compare'; comparison: Comparison; bound: Bound }
type Range = { kind: 'range'; low: Bound; includesLow: boolean; high: Bound; includesHigh: boolean }
export type Bound = { kind: 'number'; amount: Amount } | { kind: 'level'; level: Level }

/** Every term, left to right, whatever surrounds it. */
export function termsOf(expression: Expression | null): Term[] {
  if (expression === null) return []
  if (expression.kind === 'and' || expression.kind === 'or') return expression.parts.flatMap(termsOf)
  return expression.kind === 'not' ? termsOf(expression.part) : [expression]
}

/** The expressions that must all hold for the whole query to hold. */
export function conjunctsOf({ root }: Query): Expression[] {
  if (root === null) return []
  return root.kind === 'and' ? root.parts : [root]
}

/** Null when there are no parts. */
export function allOf(parts: readonly Expression[]): Expression | null {
  const flat = parts.flatMap((part) => (part.kind === 'and' ? part.parts : [part]))
  return flat.length > 1 ? { kind: 'and', parts: flat } : (flat[0] ?? null)
}

export function anyOf(parts: readonly Expression[]): Expression | null {
  const flat = parts.flatMap((part) => (part.kind === 'or' ? part.parts : [part]))
  return flat.length > 1 ? { kind: 'or', parts: flat } : (flat[0] ?? null)
}

export function noneOf(part: Expression): Expression {
  return part.kind === 'not' ? part.part : { kind: 'not', part }
}
