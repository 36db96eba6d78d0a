import { AppError } from '../../errors.ts'

/** What the `Content-Type` promises. `guess` means it promises nothing and the body has to be examined. */
export type MediaType = 'json' | 'ndjson' | 'protobuf' | 'guess'

export function mediaTypeOf(contentType: string): MediaType {
  const semicolon = contentType.indexOf(';')
  const type = (semicolon === -1 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase()
  const known = MEDIA_TYPES.get(type) ?? (type.endsWith('+json') ? 'json' : undefined)
  if (known !== undefined) return known
  throw new AppError(
    'unsupported_media_type',
    `The Content-Type "${type.slice(0, 60)}" is not understood. Send application/json, application/x-ndjson or application/x-protobuf.`,
  )
}

const MEDIA_TYPES = new Map<string, MediaType>([
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['application/x-jsonlines', 'ndjson'],
  ['application/x-protobuf', 'protobuf'],
  ['application/protobuf', 'protobuf'],
  ['text/plain', 'guess'],
  ['', 'guess'],
])
