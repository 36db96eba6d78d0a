/** One request of a page. Rejects when there is no answer. */
import type { Answer } from '../delivery/answer.ts'
import type { PostRequest } from '../platform.ts'

export function post({ timeoutMs, ...request }: PostRequest): Promise<Answer> {
  return ask(request, { signal: AbortSignal.timeout(timeoutMs) })
}

/** It goes on when the page is gone. Browsers refuse it when too many bytes are on their way like that. */
export function postBeyondPage(request: Omit<PostRequest, 'timeoutMs'>): Promise<Answer> {
  return ask(request, { keepalive: true })
}

async function ask({ url, headers, body }: Omit<PostRequest, 'timeoutMs'>, how: RequestInit): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: body as Uint8Array<ArrayBuffer>,
    credentials: 'omit',
    redirect: 'manual',
    ...how,
  })
  return {
    // A redirect is hidden from pages; following it would turn the POST into a GET.
    status: response.type === 'opaqueredirect' ? 308 : response.status,
    retryAfter: response.headers.get('retry-after'),
    location: null,
    body: await response.text(),
  }
}
