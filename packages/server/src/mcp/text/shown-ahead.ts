/**
 * Cursors of pages that were cut. Deploys below the cut are shown anyway, because they explain the records above
 * them; the cursor remembers which, so that the following pages do not show them again. The verb's own cursor is signed
 * and opaque; ours only adds ids after it, with which a client could at most hide deploys from itself.
 */
const SEPARATOR = '!'
const MAX_REMEMBERED = 20

type PageCursor = { cursor: string | undefined; shownAhead: string[] }

export function readCursor(text: string | undefined): PageCursor {
  const [cursor, ids] = text?.split(SEPARATOR, 2) ?? []
  return { cursor, shownAhead: ids ? ids.split(',').slice(0, MAX_REMEMBERED) : [] }
}

export function writeCursor(cursor: string | null, shownAhead: readonly string[]): string | null {
  if (cursor === null || shownAhead.length === 0) return cursor
  return `${cursor}${SEPARATOR}${shownAhead.slice(-MAX_REMEMBERED).join(',')}`
}
