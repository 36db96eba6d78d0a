/** At most the first characters of a text, as people count them, so that no pair is split. */
export function firstCharacters(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  // A character takes two places at most: what is further on cannot be among them, however long the text is.
  return [...text.slice(0, 2 * maxCharacters)].slice(0, maxCharacters).join('')
}
