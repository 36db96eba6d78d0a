import { shortRevision } from '@tidemark/wire/deploys/revision'
import { plainLine } from './plain-text.ts'

/** The first digits of a commit; anything else as it is, cut where it would displace the rest. */
export function shortSha(sha: string): string {
  const text = plainLine(shortRevision(sha))
  return text.length > 24 ? `${text.slice(0, 23)}…` : text
}
