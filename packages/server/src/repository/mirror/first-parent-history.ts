/** The first parents of a branch in memory, newest first, so that the commit at any time is found without git. */
import { SECOND_US } from '@tidemark/wire/time/units'
import { HASH, MAX_HISTORY } from '../repository-mirror.ts'

const LINE = new RegExp(`^(\\d+) (${HASH})$`)

export type FirstParentHistory = { readonly length: number; at(atUs: number): string | null }

/** From `git rev-list --first-parent --timestamp`: lines of committer's seconds and hash. */
export function readHistory(listing: Buffer, max = MAX_HISTORY): FirstParentHistory {
  const lines = listing.toString('latin1').split('\n')
  const seconds = new Float64Array(Math.min(lines.length, max))
  const hashes: string[] = []
  for (const line of lines) {
    const [, time, hash] = LINE.exec(line) ?? []
    if (time === undefined || hash === undefined) continue
    if (hashes.length === max) break
    seconds[hashes.length] = Number(time)
    hashes.push(hash)
  }
  const { length } = hashes
  const packed = Buffer.from(hashes.join(''), 'hex')
  const bytes = length === 0 ? 0 : packed.length / length
  return {
    length,
    at(atUs) {
      const atSeconds = atUs / SECOND_US
      // Dates along a history may go back and forth, so no binary search: the first that fits is the newest.
      for (let index = 0; index < length; index += 1) {
        if (seconds[index]! <= atSeconds) return packed.toString('hex', index * bytes, (index + 1) * bytes)
      }
      return null
    },
  }
}
