/**
 * One line of a program with what stands beside it: the time of its container, the labels of its stream, the fields of its
 * journal. A line that is a JSON object is a record, and what it says itself comes first; every other line is a message.
 */
import { namesOf } from '@tidemark/wire/field-names'
import { isObject } from '@tidemark/wire/is-object'
import { parseJson } from '@tidemark/wire/parse-json'
import { type SaidSlot, saysField } from '@tidemark/wire/says-field'
import { completeRecord, KNOWN_NAMES } from './complete-record.ts'
import type { Defaults } from './entry.ts'

type Fields = Record<string, unknown>

const MESSAGE_NAMES = [...namesOf('message'), ...namesOf('error')]
const SAID: readonly string[] = ['service', 'environment', 'level'] satisfies SaidSlot[]

export function recordBeside(line: string, beside: Fields, defaults: Defaults): { json: string; day: string } {
  const own = objectIn(line)
  if (own === undefined) {
    const fields = { ...beside, message: line }
    return completeRecord(JSON.stringify(fields), fields, defaults)
  }
  const { json, fields } = addBeside(line, own, beside)
  return completeRecord(json, fields, defaults)
}

/** The object in a line that is one. */
export function objectIn(line: string): Fields | undefined {
  const value = /^\s*\{/.test(line) ? parseJson(line) : undefined
  return isObject(value) ? value : undefined
}

/** `text` is the JSON of `own`, which is kept as it is: writing it again would round long numbers. */
export function addBeside(text: string, own: Fields, beside: Fields): { json: string; fields: Fields } {
  const hasTime = KNOWN_NAMES.time.some((name) => Object.hasOwn(own, name))
  const hasMessage = MESSAGE_NAMES.some((name) => Object.hasOwn(own, name))
  const added = Object.entries({ ...beside, ...(!hasMessage && { message: text }) }).filter(([name]) => {
    if (Object.hasOwn(own, name)) return false
    if (SAID.includes(name)) return !saysField(own, name as SaidSlot)
    return name !== 'timestamp' || !hasTime
  })
  if (added.length === 0) return { json: text, fields: own }
  const separator = Object.keys(own).length === 0 ? '' : ','
  const before = JSON.stringify(Object.fromEntries(added)).slice(0, -1)
  return { json: `${before}${separator}${text.trimStart().slice(1)}`, fields: { ...Object.fromEntries(added), ...own } }
}
