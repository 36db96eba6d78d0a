/** One JSON document that holds all records, such as an answer of Loki or Elasticsearch. They are held whole, and bounded. */
import { isObject } from '@tidemark/wire/is-object'
import { parseJson } from '@tidemark/wire/parse-json'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { ClientError } from '../../client/client-error.ts'
import type { Entry } from '../entry.ts'
import type { Mapped } from '../read-ndjson.ts'

/** Both services answer with a few thousand records at most. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024

export async function* readDocument(
  bytes: AsyncIterable<Buffer>,
  recordsIn: (document: Record<string, unknown>) => Iterable<Mapped>,
): AsyncGenerator<Entry> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of bytes) {
    parts.push(part)
    size += part.length
    if (size > MAX_DOCUMENT_BYTES) {
      throw new ClientError(
        'invalid_request',
        `The file is one JSON document of more than ${sizeWords(MAX_DOCUMENT_BYTES)}: write it with one record in a line, as \`logcli --output=jsonl\` and elasticdump do.`,
      )
    }
  }
  const document = parseJson(
    Buffer.concat(parts)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  )
  if (!isObject(document)) {
    throw new ClientError(
      'invalid_request',
      'The file is not one valid JSON document: save the whole answer and import that.',
    )
  }
  let records = 0
  // Only the place in the order is known; the end of the file is after all of them.
  for (const mapped of recordsIn(document)) yield { line: ++records, endOffset: records, ...mapped }
}
