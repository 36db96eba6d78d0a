import { cutWithin } from '@tidemark/wire/text/cut-text'
import { replaceUnseenBetweenLetters } from '@tidemark/wire/text/stranger-text'
import { compileRedaction } from '../../redaction/redact.ts'
import { NO_REDACTION_CHANGES } from '../../redaction/settings.ts'

/**
 * A stranger's text from a repository as one line of bounded length. It is made safe to look at, not to believe: doors
 * still treat it as untrusted.
 */
export function untrustedLine(text: string, maxCharacters: number): string {
  return cutWithin(replaceUnseenBetweenLetters(text, () => '\ufffd').replace(/[\t\n]/g, '\ufffd'), maxCharacters)
}

/**
 * The same without its secrets, for text that is shown. Only the built-in rules: a commit belongs to the repository, its
 * answers are cached, and a project's own patterns would run on this thread over thousands of commits.
 */
export function redactedLine(text: string, maxCharacters: number): string {
  return untrustedLine(compileRedaction(NO_REDACTION_CHANGES).text(text, new Map()), maxCharacters)
}
