/** Server-sent events of the tail. Ends when the service ends it; throws when the connection breaks or is refused. */

import { TAIL_KEEP_ALIVE_MS } from '@tidemark/wire/limits'
import { parseJson } from '@tidemark/wire/parse-json'
import type { LogRow } from '@tidemark/wire/reading/row'
import { addressOf } from '../client/ask.ts'
import type { Connection } from '../client/connection.ts'
import { refused } from '../client/refused.ts'
import type { Filter } from './search-pages.ts'

type TailEvent =
  | { kind: 'ready' }
  | { kind: 'logs'; rows: LogRow[]; dropped: number }
  | { kind: 'end'; code: string; message: string }

/** A connection that misses several signs of life is dead, whatever TCP believes. */
const MAX_SILENCE_MS = 3 * TAIL_KEEP_ALIVE_MS

export async function* tailEvents(
  { url, key }: Connection,
  filter: Filter,
  signal: AbortSignal,
): AsyncGenerator<TailEvent> {
  const silence = new AbortController()
  const watch = setTimeout(() => silence.abort(new Error('nothing came for a while')), MAX_SILENCE_MS)
  try {
    const response = await fetch(addressOf(url, '/api/logs/tail', filter), {
      headers: { Authorization: `Bearer ${key}`, Accept: 'text/event-stream' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.ok || !response.body) {
      const text = await response.text()
      throw refused(
        { status: response.status, headers: response.headers, text, body: parseJson(text) },
        'Cannot follow.',
      )
    }
    let buffered = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      watch.refresh()
      const blocks = (buffered + chunk).split('\n\n')
      buffered = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
    }
  } finally {
    clearTimeout(watch)
    silence.abort()
  }
}

/** Undefined for comments, and for events that a newer service may send. */
function eventOf(block: string): TailEvent | undefined {
  const lines = block.split('\n')
  const name = lines.find((line) => line.startsWith('event: '))?.slice(7)
  const data = parseJson(
    lines
      .filter((line) => line.startsWith('data: '))
      .map((line) => line.slice(6))
      .join('\n'),
  ) as { rows?: LogRow[]; dropped?: number; error?: { code?: string; message?: string } } | undefined
  if (name === 'ready') return { kind: 'ready' }
  if (name === 'logs') return { kind: 'logs', rows: data?.rows ?? [], dropped: data?.dropped ?? 0 }
  if (name !== 'end') return undefined
  return { kind: 'end', code: data?.error?.code ?? 'internal', message: data?.error?.message ?? '' }
}
