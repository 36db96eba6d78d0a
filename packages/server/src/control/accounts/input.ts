import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '@tidemark/wire/limits'
import { AppError } from '../../errors.ts'
import { isSignInEmail } from '../../model/email-address.ts'

export function checkedEmail(input: string): string {
  const email = input.normalize('NFC').trim()
  if (!isSignInEmail(email)) throw invalid('email', 'must be an e-mail address like ada@example.com')
  return email
}

/** Two e-mails with the same key are one account. */
export function emailKey(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}

export function checkedPassword(password: string, account: { email: string }): string {
  const problem = passwordProblem(password, account)
  if (problem !== undefined) throw invalid('password', problem)
  return password
}

/**
 * In words that follow its name. Length is what counts: no rule about kinds of characters, but not one of those that
 * everybody tries first.
 */
export function passwordProblem(password: string, { email }: { email: string }): string | undefined {
  const length = [...password].length
  if (length < MIN_PASSWORD_CHARACTERS || length > MAX_PASSWORD_CHARACTERS) {
    return `must have ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters`
  }
  const plain = password.normalize('NFKC').toLowerCase()
  const [mailbox = ''] = emailKey(email).split('@')
  const isGuessable =
    new Set(plain).size < 4 ||
    RUNS.some((run) => run.includes(plain)) ||
    COMMON_STEMS.has(plain.replace(/[^\p{L}]+$/u, '')) ||
    plain === emailKey(email) ||
    (mailbox.length > 3 && plain.replace(/[^\p{L}]+$/u, '') === mailbox)
  return isGuessable ? 'is one of the first that anybody would try: choose another' : undefined
}

const RUNS = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
]
/** With any digits and signs after them; they head every published list of stolen passwords. */
const COMMON_STEMS = new Set(
  `password passwort passw p@ssw0rd p@ssword pa$$word passw0rd qwerty qwertz azerty asdfghjk iloveyou letmein welcome
  admin administrator root changeme default secret master monkey dragon football baseball basketball superman batman
  princess sunshine shadow michael jennifer charlie starwars pokemon computer internet trustno whatever freedom
  hello liverpool chelsea arsenal samsung google facebook tidemark test testing login abc qazwsx zaq1zaq1 1q2w3e4r 1qaz2wsx
  qwe asd zxc zxcvbnm`.split(/\s+/),
)

function invalid(path: string, message: string): AppError {
  const subject = { email: 'The e-mail', password: 'The password' }[path] ?? path
  return new AppError('invalid_request', `${subject} ${message}.`, { fields: [{ path, message }] })
}
