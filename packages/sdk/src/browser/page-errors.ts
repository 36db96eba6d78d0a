import { type PageEvent, page } from './page.ts'

/** Errors and rejections that nobody caught. The browser reports them as before. */
export function watchPageErrors(seen: (thrown: unknown, mechanism: string) => void): () => void {
  const target = page()
  const onError = (event: PageEvent): void => {
    // Images and scripts that fail to load come without an error and are none.
    if (event.error !== undefined && event.error !== null) seen(event.error, 'onerror')
    else if (event.message) seen(`${event.message} (${event.filename}:${event.lineno}:${event.colno})`, 'onerror')
  }
  const onRejection = (event: PageEvent): void => seen(event.reason, 'unhandledrejection')
  target.addEventListener?.('error', onError)
  target.addEventListener?.('unhandledrejection', onRejection)
  return () => {
    target.removeEventListener?.('error', onError)
    target.removeEventListener?.('unhandledrejection', onRejection)
  }
}
