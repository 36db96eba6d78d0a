import { BACKSLASH, COLON, QUOTE } from '../json-bytes.ts'
import type { JsonScan } from '../parse/scan-json.ts'

/**
 * A JSON object as the text of a message. It is written anew, so that it holds only what was read: of a name that comes
 * twice the last value is read, and the first would stay in the text unseen by whatever looks for secrets. Numbers that
 * would be changed by that keep the text as it was sent, where no name comes twice.
 */
export function messageOfJson(sent: string, value: object, { hasDoubtfulNumbers }: JsonScan): string {
  return hasDoubtfulNumbers && membersIn(sent) === membersOf(value) ? sent.trim() : JSON.stringify(value)
}

/** Names in a text that is known to be JSON, those that come twice counted twice. */
function membersIn(text: string): number {
  let members = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) isInText = !isInText
    else if (isInText && code === BACKSLASH) at++
    else if (!isInText && code === COLON) members++
  }
  return members
}

/** The scan of the text bounded the depth. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return inner.reduce((sum: number, one) => sum + membersOf(one), Array.isArray(value) ? 0 : inner.length)
}
