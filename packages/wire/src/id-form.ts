/** The forms of what the service itself makes up, in either case. */

/** As the source of a pattern. */
export const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const RECORD_ID = new RegExp(`^log_${UUID}$`, 'i')

export function isRecordId(text: string): boolean {
  return RECORD_ID.test(text)
}

/** A pattern or a fingerprint. */
export function isGroupHash(text: string): boolean {
  return /^[0-9a-f]{16}$/i.test(text)
}
