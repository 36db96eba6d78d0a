/** A person's taste, kept in this browser. What another person must see through a link is in the address instead. */
import { useSyncExternalStore } from 'react'

/** In which zone times are shown. */
export type Zone = 'local' | 'utc'

export type Preferences = {
  theme: 'system' | 'light' | 'dark'
  zone: Zone
  density: 'compact' | 'roomy'
  isWrapped: boolean
  hasFacets: boolean
  /** Of the columns of the stream that somebody made wider or narrower, in characters. */
  columnWidths: Readonly<Record<string, number>>
}

/** How tall the line of a record is. */
export const LINE_PX: Record<Preferences['density'], number> = { compact: 24, roomy: 28 }
/** On a phone, where the message has a line of its own. */
export const TWO_LINES_PX: Record<Preferences['density'], number> = { compact: 44, roomy: 48 }

const STORED_AS = 'tidemark.preferences'
const DEFAULTS: Preferences = {
  theme: 'system',
  zone: 'local',
  density: 'compact',
  isWrapped: false,
  hasFacets: true,
  columnWidths: {},
}

const listeners = new Set<() => void>()
let current = stored()

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current)
}

export function changePreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(current))
  } catch {
    // A browser that keeps nothing still shows the choice until the page is left.
  }
  applyTheme()
  for (const listener of listeners) listener()
}

export function applyTheme(): void {
  if (current.theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = current.theme
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function stored(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(STORED_AS) ?? '{}') as Partial<Preferences>) }
  } catch {
    return DEFAULTS
  }
}
