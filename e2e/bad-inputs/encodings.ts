/** Compressed bodies that are broken, unknown, or far larger than they look. */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { type BadInput, CANARY, deployBody, goodDeploy, INVALID, logs, record, TOO_LARGE, UNSUPPORTED } from './row.ts'

const good = Buffer.from(JSON.stringify(record()))
const encoded = (encoding: string) => ({ 'content-encoding': encoding })

/** Inflates to 25 MiB. */
const bomb = () => Buffer.from(`{"message":"${CANARY}","a":"${'0'.repeat(25 * 1024 * 1024)}"}`)
/** Within 20 MiB, but 100 times smaller on the wire. */
const denseBatch = () => Buffer.from(`${JSON.stringify(record({ a: ' '.repeat(10_000) }))}\n`.repeat(200))

const corrupted = () => {
  const bytes = gzipSync(Buffer.from(JSON.stringify(record({ noise: 'qwertyuiop'.repeat(20) }))))
  bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 0xff
  return bytes
}

export const ENCODINGS: BadInput[] = [
  ...['zstd', 'compress', 'lzma', 'aws-chunked', 'gzip, gzip', 'identity, gzip', 'gzip;q=1', 'gzip gzip', '*'].map(
    (encoding) => logs(`Content-Encoding ${encoding}`, UNSUPPORTED, () => gzipSync(good), encoded(encoding)),
  ),
  logs('plain text that says gzip', INVALID, () => good, encoded('gzip')),
  logs('plain text that says deflate', INVALID, () => good, encoded('deflate')),
  logs('plain text that says br', INVALID, () => good, encoded('br')),
  logs('gzip that says br', INVALID, () => gzipSync(good), encoded('br')),
  logs('gzip that says nothing', INVALID, () => gzipSync(good)),
  logs('gzip within gzip under one name', INVALID, () => gzipSync(gzipSync(good)), encoded('gzip')),
  logs('gzip that is cut off', INVALID, () => gzipSync(good).subarray(0, -12), encoded('gzip')),
  logs('deflate that is cut off', INVALID, () => deflateSync(good).subarray(0, -6), encoded('deflate')),
  logs('br that is cut off', INVALID, () => brotliCompressSync(good).subarray(0, -4), encoded('br')),
  logs('gzip with a wrong checksum', INVALID, corrupted, encoded('gzip')),
  logs('an empty body that says gzip', INVALID, () => '', encoded('gzip')),
  logs('gzip of broken JSON', INVALID, () => gzipSync(`{"message":"${CANARY}"`), encoded('gzip')),
  logs('a gzip bomb', TOO_LARGE, () => gzipSync(bomb()), encoded('gzip')),
  logs('a deflate bomb', TOO_LARGE, () => deflateSync(bomb()), encoded('deflate')),
  logs('a raw deflate bomb', TOO_LARGE, () => deflateRawSync(bomb()), encoded('deflate')),
  logs(
    'a br bomb',
    TOO_LARGE,
    () => brotliCompressSync(bomb(), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    encoded('br'),
  ),
  logs('a batch that inflates more than 100 times', TOO_LARGE, () => gzipSync(denseBatch()), {
    ...encoded('gzip'),
    'content-type': 'application/x-ndjson',
  }),
  deployBody('gzip', UNSUPPORTED, ({ ingest }) => gzipSync(JSON.stringify(goodDeploy(ingest))), encoded('gzip')),
  deployBody('an unknown encoding', UNSUPPORTED, ({ ingest }) => JSON.stringify(goodDeploy(ingest)), encoded('zstd')),
]
