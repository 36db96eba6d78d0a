/** The forms of what the service itself makes up. People may write them in either case. */

/** As the source of a pattern. */
export const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const RECORD_ID = new RegExp(`^log_${UUID}$`, 'i')

/** A text that has the form of one, as the service writes it: in small letters. */
export function recordIdIn(text: string): string | null {
  return RECORD_ID.test(text) ? text.toLowerCase() : null
}

/** As the service writes it, in small letters: it becomes the name of a folder, or stands for who sends. */
export function isIdOf(prefix: 'prj' | 'key', text: string): boolean {
  return new RegExp(`^${prefix}_${UUID}$`).test(text)
}

/** A pattern or a fingerprint. */
export function isGroupHash(text: string): boolean {
  return /^[0-9a-f]{16}$/i.test(text)
}
