import { isObject } from '@tidemark/wire/is-object'
import { withoutGuard } from '@tidemark/wire/parse-json'

/**
 * Without the sources themselves: they are not needed to find a position, and need not leave the machine. Null for what is
 * no JSON object, of which nothing could be taken out.
 */
export function withoutSources(text: string): string | null {
  let map: unknown
  try {
    map = JSON.parse(withoutGuard(text.startsWith('\ufeff') ? text.slice(1) : text))
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
