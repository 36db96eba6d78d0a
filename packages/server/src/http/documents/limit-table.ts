/** The limits of the doors in words, for the documents. The numbers stand where they are enforced. */
import * as limits from '../limits.ts'

const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`
const kib = (bytes: number) => `${bytes / 1024} KiB`
const count = (value: number) => value.toLocaleString('en-US')

export const INGEST_LIMITS: { what: string; value: string; atLimit: string }[] = [
  {
    what: 'log request, after inflation',
    value: `${mib(limits.MAX_BODY_BYTES)}, ${count(limits.MAX_RECORDS)} records`,
    atLimit: '413',
  },
  { what: 'inflated to its compressed size, above 1 MB', value: `${limits.MAX_INFLATION_RATIO} times`, atLimit: '413' },
  {
    what: 'JSON depth, values',
    value: `${limits.MAX_JSON_DEPTH} (attributes ${limits.MAX_ATTRIBUTE_DEPTH}), ${count(limits.MAX_JSON_VALUES)}`,
    atLimit: '400, found before parsing',
  },
  { what: 'message', value: kib(limits.MAX_MESSAGE_BYTES), atLimit: 'cut, marked `truncated`' },
  { what: 'record', value: kib(limits.MAX_RECORD_BYTES), atLimit: 'that record is rejected' },
  {
    what: 'attributes',
    value: `${limits.MAX_ATTRIBUTES} per record, key ${limits.MAX_KEY_BYTES} bytes`,
    atLimit: 'that record is rejected',
  },
  { what: 'environment', value: `${limits.MAX_ENVIRONMENT_CHARACTERS} characters`, atLimit: 'that record is rejected' },
  { what: 'service, host, logger, release', value: `${limits.MAX_NAME_CHARACTERS} characters`, atLimit: 'cut' },
  { what: 'distinct UTC days in a request', value: String(limits.MAX_DAYS), atLimit: '400' },
  {
    what: 'rate per ingest key',
    value: '50 MB/s, 1,000 requests/s, configurable per project',
    atLimit: '429 with `Retry-After`, nothing of the request is stored',
  },
  {
    what: 'monthly quota per project (UTC month)',
    value: 'none by default',
    atLimit: '429 with `Retry-After` of at most an hour; deploys still work',
  },
  {
    what: 'records waiting to be loaded',
    value: '1 GiB, at most 10 % of the disk',
    atLimit: '503 `spool_full` with `Retry-After`',
  },
  { what: 'free disk', value: '512 MiB or 2 %, whichever is more', atLimit: '503 `storage_full` with `Retry-After`' },
  { what: 'deploy body', value: '256 KiB', atLimit: '413' },
  { what: 'deploys per ingest key', value: '50 a second, 500 at once', atLimit: '429 with `Retry-After`' },
]
