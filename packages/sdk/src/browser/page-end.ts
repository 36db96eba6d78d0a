/**
 * A page that is hidden may never come back, and its requests end with it, except those marked `keepalive`. So all that
 * waits is sent that way, what is under way included: the batch id keeps it from being stored twice.
 */
import { judge } from '../delivery/answer.ts'
import type { Batch } from '../delivery/batch.ts'
import type { EndOfProgram } from '../platform.ts'
import { page } from './page.ts'

/** Browsers refuse more bytes in all such requests together. The rest stays, in case the page comes back. */
const MAX_KEEPALIVE_BYTES = 60 * 1024

export function watchPageEnd(end: EndOfProgram): () => void {
  const target = page()
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
  for (const batch of batches) {
    bytes += batch.bytes.length
    if (bytes > MAX_KEEPALIVE_BYTES) return
    if (underWay.has(batch)) continue
    underWay.add(batch)
    const { url, headers, body } = request(batch)
    fetch(url, {
      method: 'POST',
      headers,
      body: body as Uint8Array<ArrayBuffer>,
      credentials: 'omit',
      keepalive: true,
    })
      .then(async (response) => {
        const answer = { status: response.status, retryAfter: null, location: null, body: await response.text() }
        const outcome = judge(answer, url, Date.now())
        if (outcome.kind === 'accepted') end.acknowledge(batch, outcome.rejected.length)
      })
      .catch(() => {
        // If the page lives on, the batch is still in the queue.
      })
      .finally(() => underWay.delete(batch))
  }
}
