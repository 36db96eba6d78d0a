/**
 * A frame is what one request adds to a segment: a header row, then the request's records, both RowBinary. The header
 * is itself a valid row (marked by its first column, which is empty in records), so that the engine can load a whole
 * segment file as it is, and the file can still be checked frame by frame after a crash.
 */

import { crc32 } from 'node:zlib'
import { HEADER_ROW_TAIL, headerRow } from '../../logstore/schema/segment-rows.ts'

export type FrameMeta = {
  /** Id of the segment. Frames of earlier versions do not have it. */
  segment?: string
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
/** Width of the LEB128 length in front of the header. */
const MAX_LENGTH_BYTES = 3
/** Smallest unit in which a disk loses data. */
const SECTOR_BYTES = 512
const SPACE = 0x20

export function encodeFrame(meta: FrameMeta, payload: Uint8Array): [header: Buffer, payload: Uint8Array] {
  const text = Buffer.from(JSON.stringify({ segment: meta.segment, ...meta }))
  const header = Buffer.alloc(FIXED_BYTES + text.length)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt32LE(payload.length, 4)
  header.writeUInt32LE(crc32(payload), 8)
  text.copy(header, FIXED_BYTES)
  header.writeUInt32LE(headerChecksum(header), 12)
  return [headerRow(header), payload]
}

/** Reads the frame at `start`. Returns null if it is unfinished or damaged. */
export function readFrame(segment: Buffer, start: number): Frame | null {
  const found = readHeader(segment, start)
  if (found === null || found.end > segment.length) return null
  const { header, payloadStart, end } = found
  // The checksums do not cover the tail, but the engine reads it.
  if (!segment.subarray(payloadStart - HEADER_ROW_TAIL.length, payloadStart).equals(HEADER_ROW_TAIL)) return null
  if (crc32(segment.subarray(payloadStart, end)) !== header.readUInt32LE(8)) return null
  return { meta: JSON.parse(header.toString('utf8', FIXED_BYTES)) as FrameMeta, start, end }
}

type Header = { header: Buffer; payloadStart: number; end: number }

/** Reads an intact header, whatever follows it. The end of its frame may be after the end of the segment. */
function readHeader(segment: Buffer, start: number): Header | null {
  const string = readString(segment, start)
  if (string === null || string.bytes.length < FIXED_BYTES || string.bytes.readUInt32LE(0) !== MAGIC) return null
  const header = string.bytes
  if (header.readUInt32LE(12) !== headerChecksum(header)) return null
  const payloadStart = string.end + HEADER_ROW_TAIL.length
  return { header, payloadStart, end: payloadStart + header.readUInt32LE(4) }
}

/** Every byte of a segment is in a frame, in a damaged range, or in the unfinished end. */
export type SegmentScan = {
  frames: Frame[]
  /** Ranges that may hold acknowledged records but cannot be read. */
  damaged: { start: number; end: number }[]
  /** Size of the write that a crash cut short. None of it was acknowledged. */
  unfinishedBytes: number
}

export function scanFrames(segment: Buffer, segmentId: string): SegmentScan {
  const frames: Frame[] = []
  const damaged: SegmentScan['damaged'] = []
  let at = 0
  while (at < segment.length) {
    const frame = readFrame(segment, at)
    if (frame === null && isUnfinished(segment, at)) break
    const end = frame?.end ?? endOfDamage(segment, at, segmentId)
    if (frame === null) damaged.push({ start: at, end })
    else frames.push(frame)
    at = end
  }
  return { frames, damaged, unfinishedBytes: segment.length - at }
}

/**
 * Returns true if the write that began at `start` cannot have been acknowledged. A frame is acknowledged after a sync of
 * all its bytes, so the file then holds as many as its header announces. Anything else is treated as damage.
 */
function isUnfinished(segment: Buffer, start: number): boolean {
  const found = readHeader(segment, start)
  if (found !== null) return found.end > segment.length
  const rest = segment.subarray(start)
  // A power cut can leave a longer file without its new data. A lost sector also reads as zeros, but would have taken
  // the end of the frame before with it, unless the frames meet at the border of two sectors.
  if (start % SECTOR_BYTES !== 0 && rest.every((byte) => byte === 0)) return true
  return isCutHeader(rest)
}

/** Returns true if `rest` is the start of a header that is longer than `rest`. */
function isCutHeader(rest: Buffer): boolean {
  const widthOfLength = rest.findIndex((byte) => byte < 0x80) + 1
  if (widthOfLength === 0) return rest.length < MAX_LENGTH_BYTES
  if (widthOfLength > MAX_LENGTH_BYTES || readString(rest, 0) !== null) return false
  const header = rest.subarray(widthOfLength)
  const magic = magicBytes()
  if (!header.subarray(0, magic.length).equals(magic.subarray(0, header.length))) return false
  // JSON has no control characters, and the tail of every header row does. If there are some, the header is complete
  // and its length is damaged.
  return header.subarray(FIXED_BYTES).every((byte) => byte >= SPACE)
}

/** An intact header gives the end of its damaged frame. After a damaged header, the next intact frame has to be found. */
function endOfDamage(segment: Buffer, start: number, segmentId: string): number {
  return readHeader(segment, start)?.end ?? findFrame(segment, start + 1, segmentId)
}

/**
 * Returns the start of the first intact frame from `from` on, or the end of the segment. The search passes through rows,
 * and a sender can write the bytes of a frame into a record. So it looks for the segment's id, which no sender knows
 * before the segment is loaded.
 */
function findFrame(segment: Buffer, from: number, segmentId: string): number {
  const textStart = Buffer.from(`{"segment":${JSON.stringify(segmentId)}`)
  for (let at = segment.indexOf(textStart, from); at !== -1; at = segment.indexOf(textStart, at + 1)) {
    for (let width = 1; width <= MAX_LENGTH_BYTES; width++) {
      const start = at - FIXED_BYTES - width
      if (start >= from && readFrame(segment, start) !== null) return start
    }
  }
  return segment.length
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
export const HEAD_BYTES = MAX_LENGTH_BYTES + MAX_HEADER_BYTES

/** Returns the version in which a segment was written, or null if its first frame is too damaged to tell. */
export function versionOf(head: Buffer): number | null {
  const at = head.indexOf(NAME)
  const digit = at >= 1 && at <= MAX_LENGTH_BYTES ? head.toString('latin1', at + NAME.length, at + NAME.length + 1) : ''
  if (!/^[0-9]$/.test(digit)) return null
  // A flipped bit can make another digit. The header's checksum then still fits the one that was written.
  const asWritten = Buffer.from(head)
  asWritten.writeUInt32LE(MAGIC, at)
  return readHeader(asWritten, 0) === null ? Number(digit) : FRAME_VERSION
}

function magicBytes(): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(MAGIC)
  return bytes
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
