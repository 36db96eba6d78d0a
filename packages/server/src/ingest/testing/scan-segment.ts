import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type SegmentScan, scanFrames } from '../spool/frame.ts'

export async function scanSegment(path: string): Promise<SegmentScan> {
  return scanFrames(await readFile(path), basename(path, '.seg'))
}

/** Reads a segment in which every byte belongs to an intact frame. */
export async function framesOf(path: string): Promise<SegmentScan['frames']> {
  const { frames, damaged, unfinishedBytes } = await scanSegment(path)
  if (damaged.length > 0 || unfinishedBytes > 0) throw new Error(`${path} is damaged or unfinished`)
  return frames
}
