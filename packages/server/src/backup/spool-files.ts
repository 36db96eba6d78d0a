/**
 * The records that are acknowledged and not yet in the log store, at one moment. The files are held open, so that what the
 * service loads and removes meanwhile can still be copied; of the one it writes to, only what it held then.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { listSegments, segmentPath } from '../ingest/spool/segment-file.ts'
import { readBetween } from './file-content.ts'

const READ_BYTES = 1024 * 1024

export type HeldSegment = { id: string; chunks(): AsyncIterable<Buffer> }

export async function holdSpool(folder: string): Promise<{ segments: HeldSegment[]; close(): Promise<void> }> {
  const held: { id: string; file: FileHandle; bytes: number }[] = []
  const close = async () => {
    for (const { file } of held.splice(0)) await file.close()
  }
  try {
    for (const id of await segmentsIn(folder)) {
      const file = await open(segmentPath(folder, id), 'r').catch(ignoreVanished)
      if (file) held.push({ id, file, bytes: (await file.stat()).size })
    }
  } catch (error) {
    await close()
    throw error
  }
  const segments = held.map(({ id, file, bytes }) => ({
    id,
    chunks: () => readBetween(file, { to: bytes, atOnce: READ_BYTES }),
  }))
  return { segments, close }
}

async function segmentsIn(folder: string): Promise<string[]> {
  return (await listSegments(folder).catch(ignoreVanished)) ?? []
}

/** Loaded in between, so the log store has it; or a data folder without a spool. */
function ignoreVanished(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
