/** Lines of a stream of bytes with their positions. A line over the limit is cut and marked, never held whole. */
export type Line = {
  text: string
  /** From 1. */
  number: number
  /** Offset of the byte after the line and its line break. */
  endOffset: number
  isCut: boolean
}

export const MAX_LINE_BYTES = 1024 * 1024

const NEWLINE = 0x0a

export async function* readLines(
  bytes: AsyncIterable<Buffer>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let held = 0
  let isCut = false
  let offset = 0
  let number = 0

  const hold = (part: Buffer) => {
    const kept = part.subarray(0, maxBytes - held)
    if (kept.length < part.length) isCut = true
    if (kept.length > 0) parts.push(kept)
    held += kept.length
  }
  const take = (): Line => {
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = []
    held = 0
    number++
    // A byte order mark is not part of the first line. Bytes that are not UTF-8 become replacement characters.
    const text = whole.toString('utf8').replace(number === 1 ? /^\ufeff/ : /$^/, '')
    const line = { text: text.endsWith('\r') ? text.slice(0, -1) : text, number, endOffset: offset, isCut }
    isCut = false
    return line
  }

  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      hold(chunk.subarray(start, end))
      offset += end + 1 - start
      start = end + 1
      yield take()
    }
    hold(chunk.subarray(start))
    offset += chunk.length - start
  }
  if (held > 0) yield take()
}
