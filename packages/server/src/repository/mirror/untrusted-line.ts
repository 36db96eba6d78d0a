import { cutWithin } from '@tidemark/wire/text/cut-text'
import { replaceUnseenBetweenLetters } from '@tidemark/wire/text/stranger-text'

/**
 * A stranger's text from a repository as one line of bounded length. It is made safe to look at, not to believe: doors
 * still treat it as untrusted.
 */
export function untrustedLine(text: string, maxCharacters: number): string {
  return cutWithin(replaceUnseenBetweenLetters(text, () => '\ufffd').replace(/[\t\n]/g, '\ufffd'), maxCharacters)
}
