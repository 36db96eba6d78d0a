import type { Wildcard } from './ast.ts'

/** The whole text, exactly. Takes each piece at its first place: enough, because stars match any text, and linear. */
export function fitsWildcard({ pieces }: Wildcard, text: string): boolean {
  const [first = '', ...rest] = pieces
  const last = rest.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0 || found + piece.length > text.length - last.length) return false
    at = found + piece.length
  }
  return true
}
