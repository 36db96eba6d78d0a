/** The SDK in a page. */
import type { Context } from '../context.ts'
import type { ContextStore, Platform } from '../platform.ts'
import { formatValues } from './format-values.ts'
import { type PageEvent, page } from './page.ts'
import { watchPageEnd } from './page-end.ts'
import { post } from './post.ts'

/**
 * A request that outlives its page may carry 64 KiB. A batch fits into one, unless a record is larger by itself or the
 * application wants larger batches; then it is sent only while there is a page.
 */
const MAX_BATCH_BYTES = 48 * 1024
const MAX_BUFFER_BYTES = 4 * 1024 * 1024

export function browserPlatform(): Platform {
  // As it is now: it may be captured later, by us or by others.
  const warn = console.warn.bind(console)
  return {
    env: () => undefined,
    defaultUrl: undefined,
    host: undefined,
    numbers: { maxBatchBytes: MAX_BATCH_BYTES, maxBufferBytes: MAX_BUFFER_BYTES },
    post,
    gzip: typeof CompressionStream === 'undefined' ? undefined : gzip,
    now: () => Date.now(),
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    hold: () => () => {},
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    warn,
    contexts: pageContexts(),
    format: formatValues,
    watchErrors: watchPageErrors,
    watchEnd: (end) => watchPageEnd(end),
  }
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** Pages have nothing that follows promises: a context ends when the work returns. */
function pageContexts(): ContextStore {
  let current: Context | undefined
  return {
    get: () => current,
    run(context, work) {
      const outer = current
      current = context
      try {
        return work()
      } finally {
        current = outer
      }
    },
  }
}

/** Errors and rejections that nobody caught. The browser reports them as before. */
function watchPageErrors(seen: (thrown: unknown, mechanism: string) => void): () => void {
  const target = page()
  const onError = (event: PageEvent): void => {
    // Images and scripts that fail to load come without an error and are not errors.
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
