/**
 * A page that is hidden may never come back, and its requests end with it, except those marked `keepalive`. So all that
 * waits is sent that way, what is under way included: the batch id keeps it from being stored twice. What does not fit
 * into such requests is passed over and stays, in case the page comes back.
 */
import type { Batch } from '../delivery/batch.ts'
import type { EndOfProgram } from '../platform.ts'
import { type Page, page } from './page.ts'
import { postBeyondPage } from './post.ts'

/** Browsers refuse more bytes than 64 KiB in all such requests together. */
const MAX_KEEPALIVE_BYTES = 60 * 1024

export function watchPageEnd(end: EndOfProgram, target: Page = page()): () => void {
  // A page that is left is first hidden and then gone: two events for one end.
  const underWay = new Set<Batch>()
  const send = (): void => sendKeepalive(end, underWay)
  const onVisibility = (): void => {
    if (target.document?.visibilityState === 'hidden') send()
  }
  target.addEventListener?.('pagehide', send)
  target.document?.addEventListener?.('visibilitychange', onVisibility)
  return () => {
    target.removeEventListener?.('pagehide', send)
    target.document?.removeEventListener?.('visibilitychange', onVisibility)
  }
}

function sendKeepalive(end: EndOfProgram, underWay: Set<Batch>): void {
  const { batches, request } = end.takeOut()
  let bytes = 0
  for (const batch of underWay) bytes += batch.bytes.length
  for (const batch of batches) {
    if (underWay.has(batch) || bytes + batch.bytes.length > MAX_KEEPALIVE_BYTES) continue
    bytes += batch.bytes.length
    underWay.add(batch)
    postBeyondPage(request(batch))
      .then((answer) => end.answered(batch, answer))
      .catch(() => {
        // If the page lives on, the batch is still in the queue.
      })
      .finally(() => underWay.delete(batch))
  }
}
