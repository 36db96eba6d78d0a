/**
 * Source positions for the segments of one process: each is mapped once, however often its load is tried, and whatever
 * goes wrong, its records are loaded. Only a store that does not answer is tried again, a few times.
 */
import { isRetryable } from '../../errors.ts'
import { type MappingParts, writeSourceFingerprints } from './source-fingerprints.ts'
import type { SealedSegment } from './spool.ts'

const ATTEMPTS = 3

export type SegmentMapping = {
  /** Throws only what is worth another attempt. */
  map(segment: Pick<SealedSegment, 'id' | 'path' | 'frames'>): Promise<void>
  /** The segment is done: it never comes again. */
  forget(id: string): void
}

export function createSegmentMapping(parts: MappingParts): SegmentMapping {
  const { log } = parts
  const attemptsLeft = new Map<string, number>()
  return {
    async map({ id, path, frames }) {
      const left = (attemptsLeft.get(id) ?? ATTEMPTS) - 1
      if (left < 0) return
      attemptsLeft.set(id, left)
      try {
        const errors = await writeSourceFingerprints(parts, { path, frames })
        if (errors > 0) log.debug({ segment: id, errors }, 'errors are grouped by their source positions')
      } catch (error) {
        if (left > 0 && isRetryable(error)) throw error
        const cause = (error as Error).cause
        log.warn({ err: error, cause, segment: id }, 'source maps could not be used; errors are grouped as sent')
      }
      attemptsLeft.set(id, 0)
    },
    forget(id) {
      attemptsLeft.delete(id)
    },
  }
}
