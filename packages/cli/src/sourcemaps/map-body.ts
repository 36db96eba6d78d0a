import { isObject } from '@tidemark/wire/is-object'

/** Without the sources themselves: they are not needed to find a position, and need not leave the machine. */
export function withoutSources(text: string): string {
  let map: unknown
  try {
    map = JSON.parse(text)
  } catch {
    // The service says what is wrong with it.
    return text
  }
  if (!isObject(map)) return text
  const maps = [
    map,
    ...(Array.isArray(map.sections) ? map.sections.map((one: unknown) => isObject(one) && one.map) : []),
  ]
  for (const one of maps) if (isObject(one)) delete one.sourcesContent
  return JSON.stringify(map)
}
