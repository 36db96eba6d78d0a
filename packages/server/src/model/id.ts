import { randomBytes, randomFillSync } from 'node:crypto'

/** Every id is a prefix and a UUIDv7, so ids of one kind sort by when they were made. */
type IdPrefix =
  | 'prj'
  | 'key'
  | 'dep'
  | 'aud'
  | 'seg'
  | 'nod'
  | 'usr'
  | 'inv'
  | 'rep'
  | 'rul'
  | 'cli'
  | 'cal'
  | 'com'
  | 'chn'
  | 'alr'
  | 'itm'
  | 'msg'
  | 'viw'

export function newId(prefix: IdPrefix, nowMs: number = Date.now()): string {
  return `${prefix}_${uuidV7(nowMs)}`
}

/** Sorts before every id of the kind that was made then or later, and after all that were made before. */
export function firstIdAt(prefix: IdPrefix, atMs: number): string {
  const hex = Math.max(0, atMs).toString(16).padStart(12, '0')
  return `${prefix}_${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** Ours, never the client's: a request id stands in our log, and a stranger must not write there. */
export function newRequestId(): string {
  return `req_${randomBytes(9).toString('base64url')}`
}

function uuidV7(nowMs: number): string {
  const bytes = randomFillSync(new Uint8Array(16))
  bytes[0] = (nowMs / 2 ** 40) & 0xff
  bytes[1] = (nowMs / 2 ** 32) & 0xff
  bytes[2] = (nowMs / 2 ** 24) & 0xff
  bytes[3] = (nowMs / 2 ** 16) & 0xff
  bytes[4] = (nowMs / 2 ** 8) & 0xff
  bytes[5] = nowMs & 0xff
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
