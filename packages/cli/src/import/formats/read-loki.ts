/** What `logcli --output=jsonl` writes, and what Loki answers to `query_range`. Labels become what they become at the door. */
import { isObject } from '@tidemark/wire/is-object'
import { saysField } from '@tidemark/wire/says-field'
import { LOKI_NAMES } from '@tidemark/wire/senders/loki-names'
import { recordBeside } from '../beside.ts'
import type { Defaults } from '../entry.ts'
import type { Mapped } from '../read-ndjson.ts'

type Fields = Record<string, unknown>

export function lokiLine(_text: string, { labels, line, timestamp }: Fields, defaults: Defaults): Mapped {
  if (typeof line !== 'string' || typeof timestamp !== 'string') {
    return { problem: 'The line is not what `logcli --output=jsonl` writes: it has no `line` or no `timestamp`.' }
  }
  return recordOf(line, timestamp, isObject(labels) ? labels : {}, defaults)
}

export function* lokiStreams({ data }: Fields, defaults: Defaults): Generator<Mapped> {
  for (const stream of listIn(data, 'result')) {
    const labels = isObject(stream) && isObject(stream.stream) ? stream.stream : {}
    for (const value of listIn(stream, 'values')) {
      const [nanoseconds, line, metadata] = Array.isArray(value) ? value : []
      if (typeof line !== 'string' || !/^\d{1,19}$/.test(String(nanoseconds))) {
        yield { problem: 'The value is not a list of a time in nanoseconds and a line.' }
        continue
      }
      yield recordOf(line, String(nanoseconds), { ...labels, ...structured(metadata) }, defaults)
    }
  }
}

/** Loki writes metadata flat, or in groups of what it found itself. */
function structured(metadata: unknown): Fields {
  if (!isObject(metadata)) return {}
  const { structuredMetadata, parsed, ...flat } = metadata
  return { ...flat, ...(isObject(parsed) && parsed), ...(isObject(structuredMetadata) && structuredMetadata) }
}

function recordOf(line: string, timestamp: string, labels: Fields, defaults: Defaults): Mapped {
  if (line === '') return { problem: 'The line is empty.' }
  return recordBeside(line, { ...named(labels), timestamp }, defaults)
}

/** The first label of Loki's own lists fills a field that no label names in our words. */
function named(labels: Fields): Fields {
  const found: Fields = { ...labels }
  for (const slot of ['service', 'environment', 'level'] as const) {
    const name = LOKI_NAMES[slot].split(' ').find((one) => Object.hasOwn(labels, one))
    if (name === undefined || saysField(labels, slot)) continue
    found[slot] = labels[name]
    delete found[name]
  }
  return found
}

function listIn(value: unknown, name: string): unknown[] {
  const list = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list : []
}
