/**
 * A frame is what one request adds to a segment: a header row, then the request's records, both RowBinary. The header
 * is itself a valid row (marked by its first column, which is empty in records), so that the engine can load a whole
 * segment file as it is, and the file can still be checked frame by frame after a crash.
 */

import { crc32 } from 'node:zlib'
import { HEADER_ROW_TAIL, headerRow } from '../../logstore/schema/segment-rows.ts'

export type FrameMeta = {
  /** Identifies the frame within its segment for good: its place in the file changes when others are cut out. */
  number: number
  projectId: string
  /** The sender's name for the batch, so that a repeated one is dropped when the segment is loaded. */
  batchId: string | null
  /** Digest of the batch's bytes, with the retention by which it was judged. Frames of earlier versions do not say. */
  digest?: string
  retentionDays?: number
  /** As text; left out when there were none. */
  retentionRules?: string | undefined
  records: number
  /** Size of the request as it was received, inflated: what a quota in bytes would count. */
  rawBytes: number
  /** When the batch first arrived, as far as is known. */
  receivedMs: number
  /** UTC days (since 1970) of the records, each with its number of records. */
  days: [day: number, records: number][]
  redactions: Record<string, number>
  /** How many of the records are errors. Frames of earlier versions do not say. */
  errors?: number
}

export type Frame = { meta: FrameMeta; start: number; end: number }

const MAGIC = 0x31464d54 // "TMF1", little endian: a name and the version of the format, one digit
const NAME = 'TMF'
export const FRAME_VERSION = 1
/** magic, payload length, payload checksum, checksum of all the rest of the header */
const FIXED_BYTES = 16
const MAX_HEADER_BYTES = 64 * 1024

export function encodeFrame(meta: FrameMeta, payload: Uint8Array): [header: Buffer, payload: Uint8Array] {
  const text = Buffer.from(JSON.stringify(meta))
  const header = Buffer.alloc(FIXED_BYTES + text.length)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt32LE(payload.length, 4)
  header.writeUInt32LE(crc32(payload), 8)
  text.copy(header, FIXED_BYTES)
  header.writeUInt32LE(headerChecksum(header), 12)
  return [headerRow(header), payload]
}

/** The frame that begins at `start`, or null when there is no whole, undamaged one. */
export function readFrame(segment: Buffer, start: number): Frame | null {
  const string = readString(segment, start)
  if (string === null || string.bytes.length < FIXED_BYTES || string.bytes.readUInt32LE(0) !== MAGIC) return null
  const header = string.bytes
  const payloadStart = string.end + HEADER_ROW_TAIL.length
  const end = payloadStart + header.readUInt32LE(4)
  if (end > segment.length || header.readUInt32LE(12) !== headerChecksum(header)) return null
  if (crc32(segment.subarray(payloadStart, end)) !== header.readUInt32LE(8)) return null
  return { meta: JSON.parse(header.toString('utf8', FIXED_BYTES)) as FrameMeta, start, end }
}

/** After rows of a whole frame were written over, in place: its checksums are those of what it holds. */
export function resealFrame(frame: Buffer): void {
  const string = readString(frame, 0)
  if (string === null) throw new Error('these are not the bytes of a frame')
  const { bytes: header, end } = string
  header.writeUInt32LE(crc32(frame.subarray(end + HEADER_ROW_TAIL.length)), 8)
  header.writeUInt32LE(headerChecksum(header), 12)
}

/** Enough of a segment to tell its version. */
export const HEAD_BYTES = 8

/** The version in which a segment that begins like this was written; null when it begins with no frame of any version. */
export function versionOf(head: Buffer): number | null {
  const at = head.indexOf(NAME)
  // The length of the header precedes it in one to three bytes.
  const digit = at >= 1 && at <= 3 ? head.toString('latin1', at + NAME.length, at + NAME.length + 1) : ''
  return /^[0-9]$/.test(digit) ? Number(digit) : null
}

/** Where the next frame could begin from `from` on; -1 if there is none. Tells damage in the middle from a torn end. */
export function findFrame(segment: Buffer, from: number): number {
  const magic = Buffer.alloc(4)
  magic.writeUInt32LE(MAGIC)
  for (let at = segment.indexOf(magic, from); at !== -1; at = segment.indexOf(magic, at + 1)) {
    // The length of the header precedes it in one to three bytes.
    for (let width = 1; width <= 3; width++) if (at - width >= from && readFrame(segment, at - width)) return at - width
  }
  return -1
}

function headerChecksum(header: Buffer): number {
  return crc32(header.subarray(FIXED_BYTES), crc32(header.subarray(0, 12)))
}

/** A RowBinary string: a LEB128 length, then the bytes. */
function readString(segment: Buffer, start: number): { bytes: Buffer; end: number } | null {
  let length = 0
  let at = start
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = segment[at++]
    if (byte === undefined) return null
    length |= (byte & 0x7f) << shift
    if (byte < 0x80) {
      if (length > MAX_HEADER_BYTES || at + length > segment.length) return null
      return { bytes: segment.subarray(at, at + length), end: at + length }
    }
  }
  return null
}

export function countRecords(frames: readonly Frame[]): number {
  return frames.reduce((sum, { meta }) => sum + meta.records, 0)
}

export function countDays(frames: readonly Frame[]): { day: number; records: number }[] {
  const counts = new Map<number, number>()
  for (const { meta } of frames)
    for (const [day, records] of meta.days) counts.set(day, (counts.get(day) ?? 0) + records)
  return [...counts].sort(([a], [b]) => a - b).map(([day, records]) => ({ day, records }))
}

/** Null when a frame does not say. */
export function countErrors(frames: readonly Frame[]): number | null {
  let errors = 0
  for (const { meta } of frames) {
    if (meta.errors === undefined) return null
    errors += meta.errors
  }
  return errors
}
