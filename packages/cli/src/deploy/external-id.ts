/** The name of a run, by which a deploy is known. The CI step (ci/record-deploy) makes the same one with a shell's tools. */

import { randomUUID } from 'node:crypto'
import { MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { cutToBytes } from '@tidemark/wire/text/cut-bytes'

/**
 * The same run, step and environment give the same id. Outside CI, or where the run is unknown, it is unique: then
 * it only makes sure that a request that is sent again after a lost answer is not recorded twice.
 */
export function externalId(system: string | undefined, run: readonly (string | undefined)[], environment: string) {
  const parts = run.filter((part) => part !== undefined && part !== '')
  if (!system || parts.length === 0) return `cli:${randomUUID()}`
  const id = [system, ...parts, environment].join(':')
  if (Buffer.byteLength(id) <= MAX_NAME_CHARACTERS) return id
  return cutToBytes([system, checksum(id), ...parts, environment].join(':'), MAX_NAME_CHARACTERS)
}

/** What `cksum` of POSIX prints, with a dot for the space: the one checksum that every shell has. */
function checksum(text: string): string {
  const bytes = Buffer.from(text)
  const length: number[] = []
  for (let rest = bytes.length; rest > 0; rest >>>= 8) length.push(rest & 0xff)
  let sum = 0
  for (const byte of [...bytes, ...length]) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? POLYNOMIAL : 0)
  }
  return `${~sum >>> 0}.${bytes.length}`
}

const POLYNOMIAL = 0x04c11db7
