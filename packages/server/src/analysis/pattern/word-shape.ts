/** What a word looks like says how likely it is one of many values. */
import { ALNUM, CLASS_OF, WIDE } from './characters.ts'
import { isPlaceholderAt, PLACEHOLDER } from './placeholder.ts'

/** `alice`, `Connection`: a word of any kind. */
export const PLAIN = 0
/** `ca-certificates`, `com.acme.Order`, `job_id`, `OrderService`: made by people for one thing. */
export const NAME = 1
/** `RUNNING`, `GET`: one of a fixed set that stands in the program. */
export const LOUD = 2
/** `started`, `closing`: says what happened. */
export const VERB = 3
/** `a, b, c`. */
export const LIST = 4
/** `Window{<*>}`, `node-<*>`: a value with a value in it. */
export const HOLED = 5
/** A key under which logging libraries put what a record says, or how grave it is. */
export const TELLING = 6

const TELLING_KEYS = new Set(['msg', 'message', 'event', 'event.name', 'level', 'log.level', 'lvl', 'severity'])
const LONGEST_TELLING_KEY = 10

export function shapeOf(text: string, start: number, end: number): number {
  if (holdsPlaceholder(text, start, end)) return HOLED
  if (isTellingKey(text, start, end)) return TELLING
  let upper = 0
  let lower = 0
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 97 && unit <= 122) lower++
    else if (unit >= 65 && unit <= 90) {
      if (lower > 0) return NAME
      upper++
    } else if (unit === 95 ? lower > 0 : !(CLASS_OF[unit]! & (ALNUM | WIDE))) return NAME
  }
  if (lower === 0 && upper > 1) return LOUD
  return isVerb(text, start, end) ? VERB : PLAIN
}

/** All of them begin with one of four letters, so most words need not be cut out to be looked up. */
function isTellingKey(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start) | 32
  if (first !== 109 && first !== 101 && first !== 108 && first !== 115) return false
  return end - start <= LONGEST_TELLING_KEY && TELLING_KEYS.has(text.slice(start, end).toLowerCase())
}

function holdsPlaceholder(text: string, start: number, end: number): boolean {
  for (let i = start; i + PLACEHOLDER.length <= end; i++) {
    if (isPlaceholderAt(text, i)) return true
  }
  return false
}

/** English alone, and only its two regular endings: a word missed or caught by mistake counts a little wrong, no more. */
function isVerb(text: string, start: number, end: number): boolean {
  const length = end - start
  return (length > 4 && text.endsWith('ed', end)) || (length > 5 && text.endsWith('ing', end))
}
