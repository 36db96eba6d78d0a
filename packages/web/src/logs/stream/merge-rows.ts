import { oldestFirst } from '@tidemark/wire/reading/row-order'
import type { SearchAnswer } from '@tidemark/wire/reading/search'

export type StreamRow = SearchAnswer['rows'][number]

/** In the order of the service, newest first, each once: a record may come by the search and live. */
export function mergeRows(...lists: readonly (readonly StreamRow[])[]): StreamRow[] {
  const seen = new Map<string, StreamRow>()
  for (const row of lists.flat()) if (!seen.has(row.id)) seen.set(row.id, row)
  return [...seen.values()].sort((one, other) => oldestFirst(other, one))
}
