/** Addresses and quiet hours as people give them, checked before anything is kept. */
import type { QuietHours } from '@tidemark/wire/alerts/alert'
import { MAX_RECIPIENTS } from '@tidemark/wire/alerts/alert-kinds'
import { isTimeZone } from '../../alerts/quiet-hours.ts'
import { AppError } from '../../errors.ts'
import type { Quiet } from '../../model/alert.ts'
import { EMAIL_ADDRESS } from '../../model/email-address.ts'
import { hasCredentials, httpAddress } from '../../model/http-address.ts'
import { type AlertParts, wrongField } from './alert-parts.ts'

/** The host is asked for now, so that a mistake shows at once; it is asked again whenever something is sent. */
export async function checkedUrl(
  { checkHost, allowLocal }: Pick<AlertParts, 'checkHost' | 'allowLocal'>,
  text: string,
): Promise<URL> {
  const trimmed = text.trim()
  if (trimmed === '')
    throw wrongField('url', 'is needed: the address that messages are posted to, such as https://example.com/hook')
  // A backslash is more likely a slip of the clipboard than a slash, as which the parser would read it.
  const url = trimmed.includes('\\') ? null : httpAddress(trimmed)
  if (url === null) throw wrongField('url', 'is not an address: it begins with https:// and holds no spaces')
  if (url.protocol !== 'https:' && !allowLocal) {
    throw wrongField('url', 'must begin with https://, so that nobody on the way reads it')
  }
  if (hasCredentials(url)) throw wrongField('url', 'must not hold a user or a password: give an address without them')
  url.hash = ''
  await checkHost(url.hostname).catch((error) => {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, error.message, { cause: error, fields: [{ path: 'url', message: error.message }] })
  })
  return url
}

export function checkedRecipients(given: readonly string[]): string[] {
  const recipients = [...new Set(given.map((one) => one.trim()).filter((one) => one !== ''))]
  if (recipients.length === 0) throw wrongField('recipients', 'are needed: at least one e-mail address')
  if (recipients.length > MAX_RECIPIENTS) throw wrongField('recipients', `are too many: at most ${MAX_RECIPIENTS}`)
  const wrong = recipients.find((one) => !EMAIL_ADDRESS.test(one))
  if (wrong !== undefined)
    throw wrongField(
      'recipients',
      `must be plain addresses such as ada@example.com; ${JSON.stringify(wrong.slice(0, 80))} isn't one`,
    )
  return recipients
}

export function checkedQuietHours(given: QuietHours | null): Quiet | null {
  if (given === null) return null
  const { from, to, timeZone } = given
  if (!isTimeZone(timeZone)) {
    throw wrongField(
      'quietHours',
      `needs a time zone by its name, such as Europe/Berlin or UTC; ${JSON.stringify(timeZone)} isn't one`,
    )
  }
  if (from === to) throw wrongField('quietHours', 'must end at another time than they begin: leave them out for none')
  return { fromMinute: minuteOf(from), toMinute: minuteOf(to), timeZone }
}

export function quietView(quiet: Quiet | null): QuietHours | null {
  return quiet && { from: timeOf(quiet.fromMinute), to: timeOf(quiet.toMinute), timeZone: quiet.timeZone }
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function timeOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
