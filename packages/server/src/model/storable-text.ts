/**
 * Neither NUL nor half of a surrogate pair. SQLite's driver cuts a text at its first NUL, PostgreSQL refuses it, and half
 * a pair becomes another character wherever it is written, so what was sent would not be what is kept or looked for.
 */
export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text)
}
