import { plainLine } from '../../text/plain-text.ts'

/** Where a ticket is and which: `tickets.example/42`. The end of a long address says which one it is. */
export function ticketWords(url: string): string {
  if (!URL.canParse(url)) return plainLine(url)
  const { host, pathname, search } = new URL(url)
  const parts = pathname.split('/').filter(Boolean)
  const last = parts.at(-1) ?? ''
  return plainLine(parts.length > 1 ? `${host}/…/${last}${search}` : `${host}/${last}${search}`)
}
