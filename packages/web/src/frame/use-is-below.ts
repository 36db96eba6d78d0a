import { useCallback, useSyncExternalStore } from 'react'

/** The steps of the stylesheet: below `sm` is a phone, below `lg` nothing fits beside the content. */
const NARROWER = { sm: '(width < 40rem)', lg: '(width < 64rem)' } as const

/** For what a class name cannot hide: the text of a placeholder, the entries of a menu, the height of a chart. */
export function useIsBelow(step: keyof typeof NARROWER): boolean {
  const query = NARROWER[step]
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
