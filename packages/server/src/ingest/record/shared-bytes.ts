import { sizeWords } from '@tidemark/wire/text/size-words'
import { AppError } from '../../errors.ts'
import { MAX_SHARED_BYTES } from '../limits.ts'

/**
 * What a pair costs beside its texts, and what a number or a constant takes. To put a pair into a record takes time even if
 * both texts are empty: this bounds how often one request has it done.
 */
export const PAIR_BYTES = 32
const SCALAR_BYTES = 8

/** A name and its value where they are stored with a record. */
export function pairBytes(name: string, value: unknown): number {
  return Buffer.byteLength(name) + valueBytes(value) + PAIR_BYTES
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return typeof value === 'object' && value !== null ? Buffer.byteLength(JSON.stringify(value)) : SCALAR_BYTES
}

/** For the resource and scope of an OpenTelemetry request, the labels of a Loki push, and the parameters of Datadog's intake. */
export function tooMuchShared(): AppError {
  return new AppError(
    'body_too_large',
    `What the records of this request share, stored with each of them, takes more than ${sizeWords(MAX_SHARED_BYTES)}. Send fewer records per request, or fewer resource attributes, labels or tags.`,
  )
}
