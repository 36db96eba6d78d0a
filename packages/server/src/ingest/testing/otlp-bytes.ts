/** OTLP messages in protobuf, written byte by byte: in the order and as often as the caller says. */

export function varint(value: bigint | number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}

/** A text, some bytes, or a message of these parts. */
export function part(number: number, ...contents: (Buffer | string)[]): Buffer {
  const bytes = Buffer.concat(contents.map((content) => Buffer.from(content)))
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
}

export function number(field: number, value: bigint | number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)])
}

export function fixed64(field: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return Buffer.concat([varint(field * 8 + 1), bytes])
}

export function double(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return Buffer.concat([varint(field * 8 + 1), bytes])
}

export function fixed32(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return Buffer.concat([varint(field * 8 + 5), bytes])
}

export const textValue = (value: Buffer | string): Buffer => part(1, value)

/** A pair under the number that attributes have where it stands: 1 in a resource, 3 in a scope, 6 in a record. */
export function pair(field: number, key: Buffer | string, value: Buffer): Buffer {
  return part(field, part(1, key), part(2, value))
}

export const text = (key: string, value: string): Buffer => pair(6, key, textValue(value))
export const body = (value: Buffer | string): Buffer => part(5, textValue(value))
export const record = (...parts: Buffer[]): Buffer => part(2, ...parts)
export const scope = (...parts: Buffer[]): Buffer => part(1, ...parts)
export const resource = (...parts: Buffer[]): Buffer => part(1, ...parts)
export const scopeLogs = (...parts: Buffer[]): Buffer => part(2, ...parts)
export const resourceLogs = (...parts: Buffer[]): Buffer => part(1, ...parts)

/** Records that have nothing in common. */
export const request = (...records: Buffer[]): Buffer => resourceLogs(scopeLogs(...records))
