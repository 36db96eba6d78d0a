/** What `logcli --output=jsonl` writes, and what Loki answers to `query_range`. Labels become what they become at the door. */
import type { Slot } from '@tidemark/wire/field-names'
import { isObject } from '@tidemark/wire/is-object'
import { LOKI_NAMES } from '@tidemark/wire/senders/loki-names'
import { type Beside, recordBeside } from '../beside.ts'
import type { Defaults } from '../entry.ts'
import type { Mapped } from '../read-ndjson.ts'

type Fields = Record<string, unknown>

/** Below every name that all records may use. */
const AFTER_COMMON = 100
const PLACES = new Map(
  Object.entries(LOKI_NAMES).flatMap(([slot, names]) =>
    names.split(' ').map((name, rank) => [name, { slot: slot as Slot, rank: AFTER_COMMON + rank }] as const),
  ),
)

export function lokiLine(_text: string, { labels, line, timestamp }: Fields, defaults: Defaults): Mapped {
  if (typeof line !== 'string' || typeof timestamp !== 'string') {
    return { problem: 'The line is not what `logcli --output=jsonl` writes: it has no `line` or no `timestamp`.' }
  }
  return recordOf(line, timestamp, labelsIn(labels, 'label.'), defaults)
}

export function* lokiStreams({ data }: Fields, defaults: Defaults): Generator<Mapped> {
  for (const stream of listIn(data, 'result')) {
    const labels = labelsIn(isObject(stream) ? stream.stream : undefined, 'label.')
    for (const value of listIn(stream, 'values')) {
      const [nanoseconds, line, metadata] = Array.isArray(value) ? value : []
      if (typeof line !== 'string' || !/^\d{1,19}$/.test(String(nanoseconds))) {
        yield { problem: 'The value is not a list of a time in nanoseconds and a line.' }
        continue
      }
      yield recordOf(line, String(nanoseconds), [...labelsIn(structured(metadata), 'metadata.'), ...labels], defaults)
    }
  }
}

/** Loki writes metadata flat, or in groups of what it found itself. */
function structured(metadata: unknown): Fields {
  if (!isObject(metadata)) return {}
  const { structuredMetadata, parsed, ...flat } = metadata
  return { ...flat, ...(isObject(parsed) && parsed), ...(isObject(structuredMetadata) && structuredMetadata) }
}

function recordOf(line: string, time: string, beside: Beside[], defaults: Defaults): Mapped {
  if (line === '') return { problem: 'The line is empty.' }
  return recordBeside(line, { time, beside }, defaults)
}

function labelsIn(labels: unknown, prefix: string): Beside[] {
  const pairs = isObject(labels) ? Object.entries(labels) : []
  return pairs.map(([name, value]) => ({ name, value, place: PLACES.get(name), prefix }))
}

function listIn(value: unknown, name: string): unknown[] {
  const list = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list : []
}
