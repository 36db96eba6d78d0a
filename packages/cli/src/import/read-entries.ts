import { detectFormat, hasTimes } from './detect-format.ts'
import type { Defaults, Entry, Format } from './entry.ts'
import type { Source } from './read-bytes.ts'
import { readCsv } from './read-csv.ts'
import { readJson } from './read-json.ts'
import { readNdjson } from './read-ndjson.ts'
import { readText } from './read-text.ts'

const SAMPLE_BYTES = 64 * 1024

/** Looks at the beginning of a source, then reads it from the beginning. */
export async function readEntries(
  source: Source,
  { format, defaults }: { format: Format | 'auto'; defaults: Defaults },
): Promise<{ format: Format; entries: AsyncIterable<Entry> }> {
  const chunks = source.bytes[Symbol.asyncIterator]()
  const held: Buffer[] = []
  let size = 0
  while (size < SAMPLE_BYTES) {
    const { value, done } = await chunks.next()
    if (done) break
    held.push(value)
    size += value.length
  }
  // Cut to the same length whatever the chunks were: the same file must be read the same way every time.
  const sample = Buffer.concat(held).subarray(0, SAMPLE_BYTES).toString('utf8')
  const found = format === 'auto' ? detectFormat(sample, source.name) : format
  const bytes = joined(held, chunks)
  if (found === 'text') return { format: found, entries: readText(bytes, defaults, { hasTimes: hasTimes(sample) }) }
  const read = { ndjson: readNdjson, json: readJson, csv: readCsv }[found]
  return { format: found, entries: read(bytes, defaults) }
}

async function* joined(held: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* held.splice(0)
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}
