/** Loki's push request in protobuf and snappy, as its senders write it; snappy in literals only, which every reader takes. */

export type SentEntry = { seconds?: number; nanos?: number; line: string; metadata?: Record<string, string> }

export function pushRequest(streams: { labels: string; entries: SentEntry[] }[]): Buffer {
  return Buffer.concat(
    streams.map(({ labels, entries }) =>
      bytesField(1, Buffer.concat([bytesField(1, labels), ...entries.map(entryField)])),
    ),
  )
}

export function snappyLiterals(bytes: Uint8Array): Buffer {
  const pieces = [varint(bytes.length)]
  for (let at = 0; at < bytes.length; at += 60) {
    const piece = bytes.subarray(at, at + 60)
    pieces.push(Buffer.from([(piece.length - 1) << 2]), Buffer.from(piece))
  }
  return Buffer.concat(pieces)
}

function entryField({ seconds = 0, nanos = 0, line, metadata = {} }: SentEntry): Buffer {
  const time = Buffer.concat([Buffer.from([1 << 3]), varint(seconds), Buffer.from([2 << 3]), varint(nanos)])
  const pairs = Object.entries(metadata).map(([name, value]) =>
    bytesField(3, Buffer.concat([bytesField(1, name), bytesField(2, value)])),
  )
  return bytesField(2, Buffer.concat([bytesField(1, time), bytesField(2, line), ...pairs]))
}

export function bytesField(number: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes])
}

export function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 128) | 0x80)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, rest])
}
