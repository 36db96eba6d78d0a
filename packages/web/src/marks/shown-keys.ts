/** A secret with the name that stands over it. */
export type ShownKey = { name: string; secret: string }

/** A key is kept by whatever was copied with the whole of it: the key alone, or a line to run. */
export function stillUncopied(keys: readonly ShownKey[], copied: string): ShownKey[] {
  return keys.filter(({ secret }) => !copied.includes(secret))
}

export function plainWords(keys: readonly ShownKey[]): { it: string; ofThem: string } {
  const [first] = keys
  return first !== undefined && keys.length === 1
    ? { it: 'it', ofThem: `the ${first.name.toLowerCase()}` }
    : { it: 'them', ofThem: 'the keys' }
}
