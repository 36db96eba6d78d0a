import { useCallback, useSyncExternalStore } from 'react'

/** The steps of the stylesheet: below `sm` is a phone, below `lg` nothing fits beside the content. */
const NARROWER = { sm: '(width < 40rem)', lg: '(width < 64rem)' } as const

/** For what a class name cannot hide: the text of a placeholder, the entries of a menu, the height of a chart. */
export function useIsBelow(step: keyof typeof NARROWER): boolean {
  return useMatches(NARROWER[step])
}

/** As far as can be told: a finger has none, nor has a phone. */
export function useHasKeyboard(): boolean {
  return !useMatches(`${NARROWER.sm}, (pointer: coarse)`)
}

function useMatches(query: string): boolean {
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
