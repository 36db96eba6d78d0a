/** Line ends, controls, escapes, directional overrides, joiners and tags: what a terminal obeys or a reader cannot see. */
const UNSEEN =
  /[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Cs}/gu

/**
 * A stranger's text from a repository as one line of bounded length. It is made harmless to look at, not to believe: doors
 * still treat it as untrusted.
 */
export function untrustedLine(text: string, maxCharacters: number): string {
  const line = text.replace(UNSEEN, '\ufffd')
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1).replace(/\p{Cs}$/u, '')}…`
}
