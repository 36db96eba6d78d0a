/** Copies the address of exactly what is shown: a relative range becomes the times it stands for now. */
import { useLocation, useRouter } from '@tanstack/react-router'
import { defaultFromOf } from '@tidemark/wire/dashboard/address'
import { parseSearch, stringifySearch } from '@tidemark/wire/dashboard/search'
import { resolveLocally } from '../time/range.ts'
import { useCopyAndSay } from '../ui/copy.tsx'

const REFUSED = 'The browser refused to copy: take the link from the address bar'

export function useShareLink(): () => Promise<void> {
  const { pathname, searchStr } = useLocation()
  const router = useRouter()
  const copy = useCopyAndSay()
  return async () => {
    const link = `${pathname}${stringifySearch(absolute(pathname, parseSearch(searchStr), Date.now()))}`
    const isCopied = await copy(`${location.origin}${link}`, 'Link copied', REFUSED)
    if (!isCopied) router.history.replace(link)
  }
}

export function absolute(pathname: string, search: Record<string, unknown>, nowMs: number): Record<string, unknown> {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const { live: _, start: __, ...rest } = search
  const defaultFrom = defaultFromOf(pathname)
  if (defaultFrom === undefined) return rest
  const range = resolveLocally({ from: text(search.from) ?? defaultFrom, to: text(search.to) }, nowMs)
  if (!range) return rest
  return { ...rest, from: new Date(range.fromMs).toISOString(), to: new Date(range.toMs).toISOString() }
}
