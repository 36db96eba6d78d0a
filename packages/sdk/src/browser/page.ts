/** The part of a page's globals that we use; the compiler knows Node's. */
export type Page = {
  addEventListener?(name: string, listener: (event: PageEvent) => void): void
  removeEventListener?(name: string, listener: (event: PageEvent) => void): void
  document?: {
    visibilityState?: string
    addEventListener: Page['addEventListener']
    removeEventListener: Page['removeEventListener']
  }
}

export type PageEvent = {
  error?: unknown
  message?: string
  filename?: string
  lineno?: number
  colno?: number
  reason?: unknown
}

export function page(): Page {
  return globalThis as unknown as Page
}
