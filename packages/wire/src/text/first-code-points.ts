/** At most the first code points of a text, so that no surrogate pair is split. */
export function firstCodePoints(text: string, most: number): string {
  if (text.length <= most) return text
  // Each takes two units at most: what is further on cannot be among them, however long the text is.
  return [...text.slice(0, 2 * most)].slice(0, most).join('')
}
