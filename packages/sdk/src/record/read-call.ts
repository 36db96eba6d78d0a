/**
 * What a log call meant. The forms people write, for every level:
 * `(message, attributes?)`, `(message, error, attributes?)`, `(error, attributes?)`, `(error, message, attributes?)`,
 * `(attributes, message?)`.
 */
import { describeError, type ErrorDetail, isErrorLike } from './describe-error.ts'
import type { Attributes } from './record.ts'
import { joinAttributes, without } from './record-fields.ts'

export type Call = { message: string; error: ErrorDetail | undefined; attributes: Attributes | undefined }

export function readCall(first: unknown, second: unknown, third: unknown, isError: boolean): Call {
  const call: Call = { message: '', error: undefined, attributes: undefined }
  const given = typeof first === 'string' ? [second, third] : [first, second, third]
  if (typeof first === 'string') call.message = first
  for (const value of given) take(call, value, isError)
  liftError(call)
  return call
}

function take(call: Call, value: unknown, isError: boolean): void {
  if (value === undefined || value === null) return
  if (isErrorLike(value)) {
    if (call.error === undefined) call.error = describeError(value)
    else call.attributes = { ...call.attributes, otherError: value }
  } else if (typeof value === 'object') {
    const attributes = hasNames(value) ? value : { value }
    call.attributes = joinAttributes(call.attributes, attributes)
  } else if (typeof value === 'string' && call.message === '') call.message = value
  // `throw 'text'` is legal, and then this is what was caught.
  else if (isError && call.error === undefined) call.error = describeError(value)
  else call.attributes = { ...call.attributes, value }
}

/** `{ err }` and `{ error }` are how many people pass an error. */
function liftError(call: Call): void {
  const { attributes } = call
  if (attributes === undefined || call.error !== undefined) return
  for (const key of ['err', 'error']) {
    let value: unknown
    try {
      value = attributes[key]
    } catch {
      continue
    }
    if (!isErrorLike(value)) continue
    call.error = describeError(value)
    call.attributes = without(attributes, key)
    return
  }
}

/** Lists, bytes and the like are values, however many numbered properties they have. */
function hasNames(value: object): boolean {
  try {
    return !(
      Array.isArray(value) ||
      ArrayBuffer.isView(value) ||
      value instanceof Map ||
      value instanceof Set ||
      value instanceof Date ||
      value instanceof RegExp
    )
  } catch {
    return false
  }
}
