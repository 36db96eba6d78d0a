/** Which rows of a list are chosen, by their ids. Rows that are no longer there are not chosen any more. */
import { MAX_CHOSEN } from '@tidemark/wire/limits'

export type Selection = {
  ids: ReadonlySet<string>
  /** Where the next range begins: the row that was chosen or left last. */
  last: string | null
}

export const NOTHING: Selection = { ids: new Set(), last: null }

/**
 * Chooses a row or leaves it. With `isRange` all rows from the last one to it become as it becomes. At most as many as
 * can be chosen: what is beyond stays as it was.
 */
export function toggled(
  { ids, last }: Selection,
  rows: readonly string[],
  { id, isRange }: { id: string; isRange: boolean },
): Selection {
  const isChosen = !ids.has(id)
  const from = isRange && last !== null ? rows.indexOf(last) : -1
  const to = rows.indexOf(id)
  const touched = from === -1 || to === -1 ? [id] : rows.slice(Math.min(from, to), Math.max(from, to) + 1)
  const next = new Set(ids)
  for (const one of touched) {
    if (!isChosen) next.delete(one)
    else if (next.size < MAX_CHOSEN) next.add(one)
  }
  return { ids: next, last: id }
}

/** All of them, or none where all are chosen already. */
export function allToggled({ ids }: Selection, rows: readonly string[]): Selection {
  const shown = rows.slice(0, MAX_CHOSEN)
  return shown.every((id) => ids.has(id)) ? NOTHING : { ids: new Set(shown), last: shown.at(-1) ?? null }
}

export function onlyOf(selection: Selection, rows: readonly string[]): Selection {
  const known = new Set(rows)
  if ([...selection.ids].every((id) => known.has(id))) return selection
  const ids = new Set([...selection.ids].filter((id) => known.has(id)))
  return { ids, last: selection.last !== null && known.has(selection.last) ? selection.last : null }
}
