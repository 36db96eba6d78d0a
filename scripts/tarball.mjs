// An npm tarball from files in memory. The same files always make the same bytes, so that an installed lock stays valid.
import { gzipSync } from 'node:zlib'

const BLOCK_BYTES = 512
/** The time that npm itself writes: 26 October 1985. */
const MODIFIED_AT_S = 499_162_500
const UNKNOWN_SYSTEM = 255

/** `files`: path below `package/` → { content, isExecutable }. */
export function tarball(files) {
  const blocks = Object.keys(files)
    .sort()
    .flatMap((path) => entry(`package/${path}`, files[path]))
  const tar = Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)])
  const packed = gzipSync(tar, { level: 9 })
  // The one byte of the header that tells systems apart.
  packed[9] = UNKNOWN_SYSTEM
  return packed
}

function entry(path, { content, isExecutable = false }) {
  const bytes = Buffer.from(content)
  const header = Buffer.alloc(BLOCK_BYTES)
  if (Buffer.byteLength(path) > 100) throw new Error(`The path ${path} is too long for a tar header.`)
  header.write(path, 0)
  header.write(octal(isExecutable ? 0o755 : 0o644, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(bytes.length, 12), 124)
  header.write(octal(MODIFIED_AT_S, 12), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, bytes, Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES)]
}

function octal(value, length) {
  return `${value.toString(8).padStart(length - 1, '0')}\0`
}
