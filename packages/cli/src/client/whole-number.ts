import { withCommas } from '@tidemark/wire/text/counted'
import { ClientError } from './client-error.ts'

/** What an option that counts something was given. `also`: the words for what it takes beside numbers. */
export function wholeNumber(
  option: string,
  text: string,
  { least = 1, most = Number.MAX_SAFE_INTEGER, also = '' }: { least?: number; most?: number; also?: string } = {},
): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${withCommas(most)}`
  const message = `${option} must be a whole number ${range}${also}; got ${JSON.stringify(text)}.`
  throw new ClientError('invalid_request', message)
}
