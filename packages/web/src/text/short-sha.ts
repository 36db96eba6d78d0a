import { HASH_IN_SENTENCE, isHash } from '@tidemark/wire/revision'
import { plainLine } from './plain-text.ts'

/** A number of a build or a date may pass for a hash; they are shorter than this, and shown whole. */
const CUT_FROM = 12

/** The first digits of a commit; anything else as it is, cut where it would displace the rest. */
export function shortSha(sha: string): string {
  if (sha.length >= CUT_FROM && isHash(sha)) return sha.slice(0, HASH_IN_SENTENCE)
  const text = plainLine(sha)
  return text.length > 24 ? `${text.slice(0, 23)}…` : text
}
