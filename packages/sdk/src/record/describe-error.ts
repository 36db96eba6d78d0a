/**
 * An error in the form from which the service groups: type, message, and one stack text that holds the causes as
 * `[cause]: Type: message` with their own frames, the way Node prints them. Errors come from anywhere, so every read may
 * throw and nothing here does.
 */
import { cutText, wordForInteger } from './cut-text.ts'

export type ErrorDetail = {
  type: string
  message: string
  stack: string
  /** The error's own properties (`code`, `status` …), those of its cause, and the headlines of an aggregate's errors. */
  details?: Record<string, unknown>
}

/** The service counts this many exceptions of one stack. */
const MAX_EXCEPTIONS = 8
const MAX_MESSAGE = 16 * 1024
const MAX_STACK = 32 * 1024
const MAX_FRAMES_OF_ONE = 100
const MAX_DETAILS = 20
const MAX_HEADLINES = 10

export function isErrorLike(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false
  try {
    if (value instanceof Error) return true
    // From another realm, or a library's own: what has a message and a stack was logged as an error.
    const { message, stack } = value as { message?: unknown; stack?: unknown }
    return typeof message === 'string' && typeof stack === 'string'
  } catch {
    return false
  }
}

/** Also for what is not an error: anything can be thrown. */
export function describeError(thrown: unknown): ErrorDetail {
  const exceptions = collect(thrown)
  const [first, ...causes] = exceptions
  const stack = [
    textOf(first!),
    ...causes.filter(isNewAmong(exceptions)).map((cause) => `  [cause]: ${textOf(cause)}`),
  ].join('\n')
  const details = detailsOf(thrown, exceptions)
  return {
    type: first!.type,
    message: first!.message,
    // Without frames the stack would only repeat type and message.
    stack: exceptions.some(({ frames }) => frames !== '') || causes.length > 0 ? cutText(stack, MAX_STACK) : '',
    ...(Object.keys(details).length > 0 ? { details } : {}),
  }
}

type Exception = { value: unknown; type: string; message: string; frames: string; isPart: boolean }

/** The error, then depth first its cause and an aggregate's errors. */
function collect(thrown: unknown): Exception[] {
  const seen = new Set<unknown>()
  const found: Exception[] = []
  const visit = (value: unknown, isPart: boolean): void => {
    if (found.length >= MAX_EXCEPTIONS || seen.has(value)) return
    seen.add(value)
    found.push(readException(value, isPart))
    const cause = read(value, 'cause')
    if (cause !== undefined && cause !== null) visit(cause, false)
    const parts = read(value, 'errors')
    if (isErrorLike(value) && isList(parts)) {
      const count = Math.min(Number(read(parts, 'length')), MAX_EXCEPTIONS)
      for (let at = 0; at < count; at++) visit(read(parts, at), true)
    }
  }
  visit(thrown, false)
  return found
}

/** How many of an aggregate failed the same way depends on the data and must not make another group. */
function isNewAmong(exceptions: Exception[]): (exception: Exception) => boolean {
  return (exception) =>
    !exception.isPart ||
    exceptions.find((one) => one.isPart && one.type === exception.type && one.frames === exception.frames) === exception
}

function readException(value: unknown, isPart: boolean): Exception {
  if (!isErrorLike(value)) return { value, type: '', message: messageOfThrown(value), frames: '', isPart }
  const message = cutText(textProperty(value, 'message'), MAX_MESSAGE)
  return { value, type: typeOf(value), message, frames: framesOf(textProperty(value, 'stack'), message), isPart }
}

/** The class says more than a name that was never set. A minifier's one or two letters say less. */
function typeOf(error: Error): string {
  const name = textProperty(error, 'name')
  if (name !== '' && name !== 'Error') return cutText(name, 200)
  const className = textProperty(read(error, 'constructor'), 'name')
  return className.length > 2 ? cutText(className, 200) : name || 'Error'
}

/** The frames alone: V8 puts name and message above them, other engines do not, and neither follows later changes. */
function framesOf(stack: string, message: string): string {
  const bounded = stack.slice(0, MAX_STACK)
  const at = message === '' ? -1 : bounded.indexOf(message)
  const below = at !== -1 && at < 300 ? bounded.slice(at + message.length) : bounded
  const lines = below.split('\n')
  const first = lines.findIndex((line) => FRAME.test(line))
  if (first === -1) return ''
  return lines
    .slice(first, first + MAX_FRAMES_OF_ONE)
    .join('\n')
    .trimEnd()
}

const FRAME = /^\s*at \S|^[^\s@]*@\S+:\d+(?::\d+)?$|^[^\s@]*@\[native code\]$/

function textOf({ type, message, frames }: Exception): string {
  const headline = headlineOf(type, message)
  return frames === '' ? headline : `${headline}\n${frames}`
}

export function headlineOf(type: string, message: string): string {
  return type === '' || message === '' ? type + message : `${type}: ${message}`
}

function detailsOf(thrown: unknown, exceptions: Exception[]): Record<string, unknown> {
  const details = ownProperties(thrown)
  const cause = read(thrown, 'cause')
  if (isErrorLike(cause)) {
    const ofCause = ownProperties(cause)
    if (Object.keys(ofCause).length > 0) details.cause = ofCause
  }
  const parts = exceptions.filter(({ isPart }) => isPart)
  if (parts.length > 0) {
    details.errors = parts.slice(0, MAX_HEADLINES).map((part) => textOf({ ...part, frames: '' }))
  }
  return details
}

const SAID_ELSEWHERE = new Set(['name', 'message', 'stack', 'cause', 'errors'])

function ownProperties(value: unknown): Record<string, unknown> {
  const own: [name: string, value: unknown][] = []
  if (!isErrorLike(value)) return {}
  let keys: string[] = []
  try {
    keys = Object.keys(value)
  } catch {
    // A proxy that refuses access.
  }
  for (const key of keys.slice(0, MAX_DETAILS)) {
    if (SAID_ELSEWHERE.has(key)) continue
    const property = read(value, key)
    // Methods and the request or socket that libraries attach to their errors say nothing in a log.
    if (typeof property === 'function' || property === undefined) continue
    // `type` is ours: the class of the error.
    own.push([key === 'type' ? 'properties.type' : key, property])
  }
  // From pairs: assigning to `__proto__` would lose it.
  return Object.fromEntries(own)
}

function messageOfThrown(value: unknown): string {
  if (typeof value === 'string') return cutText(value, MAX_MESSAGE)
  if (typeof value === 'bigint') return wordForInteger(value)
  const message = textProperty(value, 'message')
  if (message !== '') return cutText(message, MAX_MESSAGE)
  try {
    return typeof value === 'object' && value !== null
      ? 'An object that is not an error was thrown'
      : cutText(String(value), 200)
  } catch {
    return 'Something unreadable was thrown'
  }
}

function textProperty(value: unknown, key: string): string {
  const text = read(value, key)
  return typeof text === 'string' ? text : ''
}

function read(value: unknown, key: string | number): unknown {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return undefined
  try {
    return (value as Record<string | number, unknown>)[key]
  } catch {
    return undefined
  }
}

function isList(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}
