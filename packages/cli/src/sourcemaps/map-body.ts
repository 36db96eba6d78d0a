import { isObject } from '@tidemark/wire/is-object'

/** Some servers put it before JSON, so that it cannot be run as a script. The service takes it, too. */
const GUARD = ")]}'"

/**
 * Without the sources themselves: they are not needed to find a position, and need not leave the machine. Null for what is
 * no JSON object, of which nothing could be taken out.
 */
export function withoutSources(text: string): string | null {
  let map: unknown
  try {
    map = JSON.parse(unguarded(text))
  } catch {
    return null
  }
  if (!isObject(map)) return null
  const maps = [
    map,
    ...(Array.isArray(map.sections) ? map.sections.map((one: unknown) => isObject(one) && one.map) : []),
  ]
  for (const one of maps) if (isObject(one)) delete one.sourcesContent
  return JSON.stringify(map)
}

function unguarded(marked: string): string {
  const text = marked.startsWith('\ufeff') ? marked.slice(1) : marked
  return text.startsWith(GUARD) ? text.slice(Math.max(GUARD.length, text.indexOf('\n'))) : text
}
