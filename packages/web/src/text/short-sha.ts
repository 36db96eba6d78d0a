import { shortRevision } from '@tidemark/wire/deploys/revision'
import { cutWithin } from '@tidemark/wire/text/cut-text'
import { plainLine } from './plain-text.ts'

/** The first digits of a commit; anything else as it is, cut where it would displace the rest. */
export function shortSha(sha: string): string {
  return cutWithin(plainLine(shortRevision(sha)), 24)
}
