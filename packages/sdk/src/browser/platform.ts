/** The SDK in a page. */
import type { Answer } from '../delivery/answer.ts'
import type { Platform, PostRequest } from '../platform.ts'
import { pageContexts } from './contexts.ts'
import { formatValues } from './format-values.ts'
import { watchPageEnd } from './page-end.ts'
import { watchPageErrors } from './page-errors.ts'

/** A request that outlives its page may carry 64 KiB, so every batch must fit into one. */
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
    watchEnd: watchPageEnd,
  }
}

async function post({ url, headers, body, timeoutMs }: PostRequest): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: body as Uint8Array<ArrayBuffer>,
    credentials: 'omit',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return {
    // A redirect is hidden from pages; following it would turn the POST into a GET.
    status: response.type === 'opaqueredirect' ? 308 : response.status,
    retryAfter: response.headers.get('retry-after'),
    location: null,
    body: await response.text(),
  }
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
