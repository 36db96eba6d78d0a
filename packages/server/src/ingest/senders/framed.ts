/** The frame of messages on the way from a door to the thread that reads them: four bytes of length before each. */
export function framed(messages: readonly Buffer[]): Buffer {
  const parts: Buffer[] = []
  for (const message of messages) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(message.length)
    parts.push(length, message)
  }
  return Buffer.concat(parts)
}

export function* unframed(body: Uint8Array): Generator<Buffer> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    yield bytes.subarray(at + 4, end)
    at = end
  }
}
