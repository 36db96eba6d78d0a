import { ERROR_MESSAGE_KEYS, ERROR_STACK_KEYS } from '@tidemark/wire/field-names'
import { isObject } from '@tidemark/wire/is-object'
import { errorHeadline } from '@tidemark/wire/text/error-headline'
import { describeStack, holdsStack } from '../../analysis/stack/detect-stack.ts'
import type { ErrorDetail } from '../../model/log-record.ts'

/** What loggers call the parts of an error, in the order they are trusted. */
const TYPE_KEYS = ['type', 'name', 'kind', 'class', 'exception_class', 'exc_type', 'ClassName', 'Type']
const CAUSE_KEYS = ['cause', 'inner', 'innerException', 'InnerException']

/** A chain of causes longer than this is cut. */
const MAX_CAUSES = 8

type FoundError = {
  detail: ErrorDetail
  /** The keys of the object that went into the detail; the others are attributes. */
  used: ReadonlySet<string>
}

/** An error field's value: an object that has at least one part of an error, or a text. Null when it is neither. */
export function errorFromValue(value: unknown): FoundError | null {
  if (typeof value === 'string') {
    if (value === '') return null
    return { detail: errorFromStack(value) ?? { type: '', message: value, stack: '' }, used: NONE }
  }
  return isObject(value) ? errorFromObject(value, 0) : null
}

/** The error in a text that carries a stack, or null when there is no stack in it. */
export function errorFromStack(text: string): ErrorDetail | null {
  return holdsStack(text) ? { ...describeStack(text), stack: text } : null
}

/** Fills what is missing from the stack's own words. */
export function completeError(detail: ErrorDetail): ErrorDetail {
  if (detail.stack === '' || (detail.type !== '' && detail.message !== '')) return detail
  const said = describeStack(detail.stack)
  return { type: detail.type || said.type, message: detail.message || said.message, stack: detail.stack }
}

function errorFromObject(value: Record<string, unknown>, depth: number): FoundError | null {
  const used = new Set<string>()
  const type = takeText(value, TYPE_KEYS, used)
  const message = takeText(value, ERROR_MESSAGE_KEYS, used)
  let stack = takeStack(value, used)
  // A name alone is not an error: `error: { code: 7, name: "x" }` stays what it is.
  if (message === '' && stack === '') return null
  const cause = takeCause(value, used, depth)
  if (cause !== null) {
    if (stack === '') stack = errorHeadline(type, message)
    stack = appendCause(stack, cause)
  }
  return { detail: completeError({ type, message, stack }), used }
}

function takeText(value: Record<string, unknown>, keys: readonly string[], used: Set<string>): string {
  for (const key of keys) {
    const text = Object.hasOwn(value, key) ? value[key] : undefined
    if (typeof text === 'string' && text !== '') {
      used.add(key)
      return text
    }
  }
  return ''
}

/** Some loggers write the stack as an array of lines. */
function takeStack(value: Record<string, unknown>, used: Set<string>): string {
  const text = takeText(value, ERROR_STACK_KEYS, used)
  if (text !== '') return text
  for (const key of ERROR_STACK_KEYS) {
    const lines = Object.hasOwn(value, key) ? value[key] : undefined
    if (Array.isArray(lines) && lines.length > 0 && lines.every((line) => typeof line === 'string')) {
      used.add(key)
      return lines.join('\n')
    }
  }
  return ''
}

function takeCause(value: Record<string, unknown>, used: Set<string>, depth: number): ErrorDetail | null {
  if (depth >= MAX_CAUSES) return null
  for (const key of CAUSE_KEYS) {
    const cause = Object.hasOwn(value, key) ? value[key] : undefined
    if (typeof cause === 'string' && cause !== '') {
      used.add(key)
      return { type: '', message: cause, stack: '' }
    }
    const found = isObject(cause) ? errorFromObject(cause, depth + 1) : null
    // Parts of a cause beyond type, message and stack would be lost with it, so they keep it an attribute as well.
    if (found !== null) {
      if (Object.keys(cause as object).every((part) => found.used.has(part))) used.add(key)
      return found.detail
    }
  }
  return null
}

/** Loggers differ in whether the stack already ends with its causes; what is there is not repeated. */
function appendCause(stack: string, cause: ErrorDetail): string {
  const text = cause.stack !== '' ? cause.stack : errorHeadline(cause.type, cause.message)
  const firstLine = text.split('\n', 1)[0]!
  if (firstLine !== '' && stack.includes(firstLine)) return stack
  return `${stack}\nCaused by: ${text}`
}

const NONE: ReadonlySet<string> = new Set()
