/** What is being typed at the cursor, for a query that is rarely complete at that moment. */
import type { Span } from './ast.ts'
import { coreField } from './fields.ts'
import { MAX_QUERY_CHARACTERS } from './limits.ts'
import { type Token, tokenize } from './tokenize.ts'

/**
 * `from` and `to` are what an accepted suggestion replaces, `prefix` what was typed. `field` is the one whose value
 * or operator it is: one of ours by its own name, an attribute (with `@` if typed so), or `has` for the name after
 * `has:`. It is absent at the beginning of a term. `isQuoted`: within quotes.
 */
export type Completion = Span & {
  kind: 'field' | 'value' | 'operator' | 'keyword'
  field?: string
  prefix: string
  isQuoted?: boolean
}

const KEYWORD_BEGINNING = /^(?:A|AN|AND|O|OR|N|NO|NOT)$/

export function completeAt(text: string, cursor: number): Completion {
  const at = Math.max(0, Math.min(cursor, text.length, MAX_QUERY_CHARACTERS))
  const tokens = tokenize(text.slice(0, at), true)
  const last = tokens.at(-1)
  const isTouching = last !== undefined && last.to === at
  const scope = scopeOf(tokens, isTouching)
  if (!isTouching || last.kind === 'open' || last.kind === 'close' || last.kind === 'minus') {
    return place({ from: at, to: at, prefix: '' }, scope)
  }
  if (last.kind === 'field') return place({ from: at, to: endOfWord(text, at, true), prefix: '' }, scope)
  if (last.kind === 'string') {
    const isOpen = !last.closed
    const whole = { from: last.from, to: isOpen ? closingQuote(text, last.from) : at }
    return { ...place({ ...whole, prefix: isOpen ? last.value : '' }, scope, true), isQuoted: true }
  }
  if (last.kind === 'compare') {
    const from = last.to - last.operand.length
    const isLevel = scope !== undefined && coreField(scope) === 'level'
    if (isLevel) return { kind: 'value', field: scope, from, to: endOfWord(text, at, true), prefix: last.operand }
    const end = last.operand === '' ? from : last.to
    return {
      kind: 'operator',
      ...(scope ? { field: scope } : {}),
      from: last.from,
      to: end,
      prefix: text.slice(last.from, at),
    }
  }
  const typed = { from: last.from, to: endOfWord(text, at, scope !== undefined), prefix: text.slice(last.from, at) }
  return place(typed, scope)
}

function place(typed: Span & { prefix: string }, scope: string | undefined, isValue = false): Completion {
  if (scope === 'has') return { kind: 'field', field: 'has', ...typed }
  if (scope !== undefined) return { kind: 'value', field: scope, ...typed }
  if (isValue) return { kind: 'value', ...typed }
  return { kind: KEYWORD_BEGINNING.test(typed.prefix) ? 'keyword' : 'field', ...typed }
}

/** The field whose value is at the end of the tokens: directly after its name, or within its group. */
function scopeOf(tokens: readonly Token[], isTouching: boolean): string | undefined {
  const groups: (string | undefined)[] = []
  let field: string | undefined
  let fieldEnd = -1
  for (const token of tokens) {
    const owner = token.from === fieldEnd ? field : groups.at(-1)
    if (token.kind === 'open') groups.push(owner)
    else if (token.kind === 'close') groups.pop()
    else if (token.kind === 'field') {
      field = token.form === 'bare' ? (coreField(token.name) ?? token.name) : `@${token.name}`
      fieldEnd = token.to
    }
  }
  const last = tokens.at(-1)
  if (last === undefined || !isTouching) return groups.at(-1)
  if (last.kind === 'field') return field
  return last.from === fieldEnd && last.kind !== 'open' ? field : groups.at(-1)
}

/** A field's colon belongs to it, so that a name can be changed when a value follows it. */
function endOfWord(text: string, at: number, isValue: boolean): number {
  const rest = isValue ? /^(?:[^\s()\\]|\\[\s\S])*/ : /^(?:[^\s()"\\:]|\\[\s\S])*:?/
  return at + (rest.exec(text.slice(at, MAX_QUERY_CHARACTERS))?.[0].length ?? 0)
}

function closingQuote(text: string, from: number): number {
  const match = /^"(?:[^"\\]|\\[\s\S])*(?:"|\\$)?/.exec(text.slice(from))
  return from + (match?.[0].length ?? 1)
}
