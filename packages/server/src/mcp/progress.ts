/**
 * A call that takes long tells its client that it is still at work, where the client asked for that and takes a stream.
 * Answers that come sooner are plain JSON as all others; a stream ends with its one answer.
 */
import { isObject } from '@tidemark/wire/is-object'
import { INTERNAL_ERROR, INVALID_REQUEST } from '@tidemark/wire/json-rpc'
import { pause } from '../pause.ts'
import { idOf, type Message } from './refused-messages.ts'

export const PROGRESS_EVERY_MS = 2_000

type Asked = { token: string | number; id: string | number | null; signal: AbortSignal; everyMs: number }

/**
 * Null for a client that did not ask, or takes no stream; a wildcard is not enough, for scripts send it. Null for a batch
 * too, even of one: its answer is a list, and a stream carries messages.
 */
export function progressTokenOf(body: unknown, accept: string | null): string | number | null {
  if (!isObject(body) || !/(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(accept ?? '')) return null
  const message: Message = body
  const meta = message.params?._meta
  const token = isObject(meta) ? meta.progressToken : undefined
  const isRequest = idOf(message) !== null
  return isRequest && (typeof token === 'string' || typeof token === 'number') ? token : null
}

/** `answering` never rejects. */
export async function withProgress(answering: Promise<Response>, asked: Asked): Promise<Response> {
  const waited = new AbortController()
  const early = await Promise.race([answering, pause(asked.everyMs, AbortSignal.any([asked.signal, waited.signal]))])
  waited.abort()
  if (early instanceof Response) return early
  const headers = {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // Proxies would hold the stream back until it ends.
    'X-Accel-Buffering': 'no',
  }
  return new Response(ReadableStream.from(frames(answering, asked)).pipeThrough(new TextEncoderStream()), { headers })
}

async function* frames(answering: Promise<Response>, { token, id, signal, everyMs }: Asked): AsyncGenerator<string> {
  for (let passed = 1; ; passed++) {
    const seconds = (passed * everyMs) / 1_000
    const params = { progressToken: token, progress: seconds, message: `Still at work after ${seconds} s.` }
    yield frame({ jsonrpc: '2.0', method: 'notifications/progress', params })
    const waited = new AbortController()
    const answer = await Promise.race([answering, pause(everyMs, AbortSignal.any([signal, waited.signal]))])
    waited.abort()
    if (answer instanceof Response) return yield* last(answer, id)
    if (signal.aborted) return
  }
}

/** Of a refusal that is not of the protocol, such as for a key that was revoked meanwhile, its words. */
async function* last(answer: Response, id: string | number | null): AsyncGenerator<string> {
  const text = await answer.text()
  if (text === '') return
  const body: unknown = JSON.parse(text)
  if (isObject(body) && body.jsonrpc === '2.0') return yield frame(body)
  const said = isObject(body) && isObject(body.error) ? body.error.message : undefined
  const code = answer.status < 500 ? INVALID_REQUEST : INTERNAL_ERROR
  yield frame({ jsonrpc: '2.0', id, error: { code, message: typeof said === 'string' ? said : 'It failed.' } })
}

function frame(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`
}
