/** What is valid but probably not meant. A warning never changes the answer. */
import { type Query, type Span, termsOf } from './ast.ts'
import { CORE_FIELDS } from './fields.ts'
import { nearestNames } from './nearest-names.ts'
import { quote } from './print.ts'
import { isKeywordInSmallLetters } from './tokenize.ts'

/** `suggestions` are names to replace what is between `from` and `to`. */
export type Warning = Span & { message: string; suggestions: string[] }

/** What the text alone shows. */
export function warningsOf({ root }: Query): Warning[] {
  return termsOf(root).flatMap((term): Warning[] => {
    if (term.kind !== 'text' || term.match.kind !== 'literal' || term.match.quoted) return []
    const { value } = term.match
    if (!isKeywordInSmallLetters(value)) return []
    const keyword = value.toUpperCase()
    const message = `"${value}" in small letters is searched as a word. Write ${keyword} to combine terms.`
    return [{ ...term.span, message, suggestions: [keyword] }]
  })
}

/** Attributes that no record is known to have, with the names most like them. */
export function checkFields({ root }: Query, knownFields: Iterable<string>): Warning[] {
  const known = new Set(knownFields)
  const candidates = [...known, ...Object.keys(CORE_FIELDS)]
  const warned = new Set<string>()
  return termsOf(root).flatMap((term): Warning[] => {
    if (term.kind === 'text' || term.field.kind === 'core') return []
    const { name } = term.field
    if (known.has(name) || warned.has(name)) return []
    warned.add(name)
    const suggestions = nearestNames(name, candidates)
    const instead = suggestions.length === 0 ? '' : ` Did you mean ${suggestions.map(quote).join(' or ')}?`
    return [{ ...term.span, message: `No record has a field ${quote(name)}.${instead}`, suggestions }]
  })
}
