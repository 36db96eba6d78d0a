/**
 * MCP over standard input and output, carried to `POST /mcp`. One message per line; answers come in whatever order they
 * are ready. Nothing but the protocol is ever written, and trouble with the service is an answer, not the end: a host
 * that loses its server seldom starts it again.
 */

import { isObject } from '@tidemark/wire/is-object'
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from '@tidemark/wire/json-rpc'
import { MAX_CALLS_AT_ONCE } from '@tidemark/wire/limits'
import { parseJson } from '@tidemark/wire/parse-json'
import type { Connection } from '../client/connection.ts'
import { type Forward, forwardTo } from './forward.ts'
import { answerable, errorMessage, type Id, messagesIn } from './message.ts'

type Bridge = {
  connection: Connection
  input: AsyncIterable<Uint8Array | string>
  write(line: string): void
  forward?: Forward
}

/** Leaves room for another client with the same key: the service answers 429 to one call more than it accepts. */
const MAX_AT_ONCE = MAX_CALLS_AT_ONCE - 2
/** Far above what the service accepts; a line that does not end must not fill the memory. */
const MAX_LINE_CHARACTERS = 4_000_000

/** Resolves when the input has ended and every request is answered. */
export async function bridge({ connection, input, write, forward = forwardTo(connection) }: Bridge): Promise<void> {
  const running = new Set<Promise<void>>()
  const waiting: (() => void)[] = []
  const cancellers = new Map<Id, AbortController>()
  let active = 0
  const say = (message: unknown) => write(`${JSON.stringify(message)}\n`)

  for await (const line of linesOf(input)) {
    if (line === null) say(errorMessage(null, INVALID_REQUEST, 'The message is longer than this bridge accepts.'))
    else if (line.trim() !== '') receive(line)
  }
  await Promise.all(running)

  function receive(line: string): void {
    const body = parseJson(line)
    if (body === undefined) {
      say(errorMessage(null, PARSE_ERROR, 'The line is not valid JSON.'))
      return
    }
    const cancelled = cancelledId(body)
    if (cancelled !== undefined) {
      // Over HTTP, where every message is a separate request, disconnecting is what cancels.
      cancellers.get(cancelled)?.abort()
      return
    }
    const task: Promise<void> = serve(body).finally(() => running.delete(task))
    running.add(task)
  }

  async function serve(body: unknown): Promise<void> {
    const ids = answerable(body)
    const canceller = new AbortController()
    for (const id of ids) cancellers.set(id, canceller)
    if (active < MAX_AT_ONCE) active++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      const answer = canceller.signal.aborted ? undefined : await forward(body, canceller.signal)
      if (answer !== undefined && ids.length > 0 && !canceller.signal.aborted) say(answer)
    } catch (error) {
      if (canceller.signal.aborted) return
      const message = error instanceof Error ? error.message : String(error)
      for (const id of ids) say(errorMessage(id, INTERNAL_ERROR, message))
    } finally {
      // The next in line takes this place, so that nobody slips in between.
      const next = waiting.shift()
      if (next) next()
      else active--
      for (const id of ids) if (cancellers.get(id) === canceller) cancellers.delete(id)
    }
  }
}

function cancelledId(body: unknown): Id | undefined {
  const [only, ...others] = messagesIn(body)
  if (others.length > 0 || only?.method !== 'notifications/cancelled' || !isObject(only.params)) return undefined
  return only.params.requestId as Id | undefined
}

/** Null stands for a line that was too long. */
async function* linesOf(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string | null> {
  const decoder = new TextDecoder()
  let buffered = ''
  let isTooLong = false
  for await (const chunk of input) {
    const parts = (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })).split('\n')
    for (const [index, part] of parts.entries()) {
      if (!isTooLong) buffered += part
      if (buffered.length > MAX_LINE_CHARACTERS) isTooLong = true
      if (index === parts.length - 1) break
      yield isTooLong ? null : buffered
      buffered = ''
      isTooLong = false
    }
    if (isTooLong) buffered = ''
  }
  if (buffered !== '') yield buffered
}
