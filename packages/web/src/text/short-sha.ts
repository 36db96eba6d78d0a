import { plainLine } from './plain-text.ts'

const SHOWN = 7

/** The first seven digits of a commit; anything else as it is, cut where it would displace the rest. */
export function shortSha(sha: string): string {
  if (/^[0-9a-f]{12,64}$/i.test(sha)) return sha.slice(0, SHOWN)
  const text = plainLine(sha)
  return text.length > 24 ? `${text.slice(0, 23)}…` : text
}
