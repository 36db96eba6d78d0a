import { MAX_EMAIL_CHARACTERS } from '@tidemark/wire/limits'
import { isSeenWhole } from '@tidemark/wire/text/stranger-text'

/** One plain address, as it goes into the envelope of a mail: no name, no comment, no second one after a comma. */
export const EMAIL_ADDRESS = new RegExp(
  `^(?=.{1,${MAX_EMAIL_CHARACTERS}}$)[A-Za-z0-9.!#$%&*+/=?^_{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$`,
)

/** Whether a person may sign in by it. No mail is sent there, so the letters of every script will do. */
export function isSignInEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_CHARACTERS && /^[^\s@]+@[^\s@]+$/.test(text) && isSeenWhole(text)
}
