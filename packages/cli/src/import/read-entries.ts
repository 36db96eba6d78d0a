import { detectFormat, hasTimes, isLokiDocument, isSearchDocument } from './detect-format.ts'
import type { Defaults, Entry, Format } from './entry.ts'
import { isTimedContainerLine, joinPieces, startOfContainerLine } from './formats/container-line.ts'
import { readDocument } from './formats/read-document.ts'
import { elasticsearchHit, elasticsearchHits } from './formats/read-elasticsearch.ts'
import { readJournalExport } from './formats/read-journal-export.ts'
import { journalRecord } from './formats/read-journal-json.ts'
import { lokiLine, lokiStreams } from './formats/read-loki.ts'
import { startOfAccessLine, startOfApacheError, startOfNginxError } from './formats/web-server-line.ts'
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
  return { format: found, entries: READERS[found](joined(held, chunks), defaults, sample) }
}

type Reader = (bytes: AsyncIterable<Buffer>, defaults: Defaults, sample: string) => AsyncIterable<Entry>

const READERS: Record<Format, Reader> = {
  ndjson: (bytes, defaults) => readNdjson(bytes, defaults),
  json: readJson,
  csv: readCsv,
  text: (bytes, defaults, sample) => readText(bytes, defaults, { hasTimes: hasTimes(sample) }),
  container: (bytes, defaults, sample) =>
    readText(bytes, defaults, {
      hasTimes: hasTimes(sample, isTimedContainerLine),
      startOf: startOfContainerLine,
      join: joinPieces,
    }),
  access: (bytes, defaults) => readText(bytes, defaults, { hasTimes: false, startOf: startOfAccessLine }),
  'nginx-error': (bytes, defaults) => readText(bytes, defaults, { hasTimes: true, startOf: startOfNginxError }),
  'apache-error': (bytes, defaults) => readText(bytes, defaults, { hasTimes: true, startOf: startOfApacheError }),
  'journal-json': (bytes, defaults) => readNdjson(bytes, defaults, journalRecord),
  'journal-export': readJournalExport,
  loki: (bytes, defaults, sample) =>
    isLokiDocument(sample)
      ? readDocument(bytes, (document) => lokiStreams(document, defaults))
      : readNdjson(bytes, defaults, lokiLine),
  elasticsearch: (bytes, defaults, sample) =>
    isSearchDocument(sample)
      ? readDocument(bytes, (document) => elasticsearchHits(document, defaults))
      : readNdjson(bytes, defaults, elasticsearchHit),
}

async function* joined(held: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* held.splice(0)
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}
