/** `s3://bucket/prefix`, as an operator writes it. */
import { AppError } from '../../errors.ts'

/** `prefix` is empty or ends with a slash. */
export type BucketAddress = { bucket: string; prefix: string }

const SCHEME = /^s3:\/\//i
/** As servers of all kinds accept them; it also becomes part of a host name. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/
/** Other characters are allowed, but some servers and tools mistake them. */
const SEGMENT = /^[A-Za-z0-9!_.*'()=@,~ -]{1,255}$/
const MAX_PREFIX_CHARACTERS = 700

export function isBucketAddress(given: string): boolean {
  return SCHEME.test(given)
}

export function parseBucketAddress(given: string): BucketAddress {
  const [bucket = '', ...segments] = given.replace(SCHEME, '').replace(/\/+$/, '').split('/')
  const isSegment = (text: string) => SEGMENT.test(text) && text !== '.' && text !== '..'
  const prefix = segments.map((text) => `${text}/`).join('')
  if (BUCKET.test(bucket) && segments.every(isSegment) && prefix.length <= MAX_PREFIX_CHARACTERS)
    return { bucket, prefix }
  throw new AppError(
    'invalid_request',
    'A bucket is named like s3://bucket/prefix: letters, digits and . _ - in its name, and no empty or unusual parts in the prefix.',
  )
}
