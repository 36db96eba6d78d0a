/**
 * `GET /api/logs/tail`: records as they become searchable, as server-sent events.
 *
 *   event: ready  data: {}                           a search from now on finds all that this tail will not send
 *   event: logs   data: { rows, dropped }            `dropped`: how many were too many to send
 *   event: end    data: { error: { code, message } } the key is no longer valid, or the tail cannot go on
 *
 * While a client does not read, the store is not queried for it; when it resumes, it gets the newest records and the
 * number of those it missed. One that does not read for long is disconnected.
 */
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { TAIL_KEEP_ALIVE_MS } from '@tidemark/wire/limits'
import { filterInput } from '@tidemark/wire/reading/question'
import { AppError, internalError } from '../../errors.ts'
import { parseInput } from '../request/parameters.ts'
import type { ReadingCall } from './reading-call.ts'

const MAX_STALLED_MS = 60_000
const BUFFER_BYTES = 256 * 1024

export async function tailRoute(call: ReadingCall): Promise<unknown> {
  const { reading, caller, query, reply, signal, stopping, recheckAfterMs, recheckCaller } = call
  const input = parseInput(filterInput, query)
  const ending = new AbortController()
  const stop = AbortSignal.any([signal, ending.signal, ...(stopping ? [stopping] : [])])
  const stream = new PassThrough({ highWaterMark: BUFFER_BYTES })
  const batches = reading.tailLogs(caller, input, stop)[Symbol.asyncIterator]()
  const first = batches.next()
  // A wrong question fails at once; a right one may have no answer for a while.
  await Promise.race([first, new Promise((resolve) => setImmediate(resolve))])
  let writtenMs = Date.now()

  const write = (text: string) => {
    if (stream.writableEnded || stream.destroyed) return true
    writtenMs = Date.now()
    return stream.write(text)
  }
  const end = (error: unknown) => {
    if (ending.signal.aborted) return
    if (!stop.aborted) write(event('end', { error: told(error) }))
    stream.end()
    ending.abort()
  }

  const send = async () => {
    for (let batch = await first; !batch.done; batch = await batches.next()) {
      await recheckCaller()
      const { rows, dropped } = batch.value
      const isReady = rows.length === 0 && dropped === 0
      if (!write(isReady ? event('ready', {}) : event('logs', batch.value)))
        await once(stream, 'drain', { signal: stop })
    }
    stream.end()
  }
  send().catch(end)

  const watch = setInterval(() => {
    recheckCaller().catch(end)
    const idleMs = Date.now() - writtenMs
    if (stream.writableNeedDrain) {
      if (idleMs > MAX_STALLED_MS) stream.destroy()
    } else if (idleMs >= TAIL_KEEP_ALIVE_MS) write(': still here\n\n')
  }, recheckAfterMs)
  stream.once('close', () => {
    clearInterval(watch)
    ending.abort()
  })
  // A proper end: to a client that reads on, the service just stopped.
  stop.addEventListener('abort', () => stream.end(), { once: true })

  // The first byte goes out at once, so that a client knows it is connected.
  write(': connected\n\n')
  return reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no').send(stream)
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

function told(error: unknown): { code: string; message: string } {
  const { code, message } = error instanceof AppError ? error : internalError(error, 'Connect again.')
  return { code, message }
}
