/** How wide somebody made the columns, in characters, by their names. */
type ColumnWidths = Readonly<Record<string, number>>

export const LEAST_CHARACTERS = 4
export const MOST_CHARACTERS = 120
/** Those that were changed last are kept. */
const MAX_KEPT = 50

/** Without `characters` the column fits its values again. */
export function resized(widths: ColumnWidths, name: string, characters: number | undefined): ColumnWidths {
  const others = Object.entries(widths).filter(([other]) => other !== name)
  if (characters === undefined) return Object.fromEntries(others)
  const kept = Math.min(Math.max(Math.round(characters), LEAST_CHARACTERS), MOST_CHARACTERS)
  return Object.fromEntries([...others.slice(1 - MAX_KEPT), [name, kept]])
}

/** Undefined for a column that fits its values. What a browser kept may be anything. */
export function chosenWidth(widths: ColumnWidths, name: string): number | undefined {
  const width: unknown = Object.hasOwn(widths, name) ? widths[name] : undefined
  if (typeof width !== 'number' || !(width >= LEAST_CHARACTERS)) return undefined
  return Math.min(width, MOST_CHARACTERS)
}
