/**
 * Fills in what a record does not say itself, and finds the day it belongs to. The record's text is kept as it is: parsing
 * and writing it again would round long numbers.
 */
import { namesOf } from '@tidemark/wire/field-names'
import { freeName, saidField } from '@tidemark/wire/said-field'
import { levelOfText } from '@tidemark/wire/senders/line-layouts'
import { epochToUs, FIRST_EPOCH } from '@tidemark/wire/time/epoch'
import { parseInstant } from '@tidemark/wire/time/instant'
import type { Defaults } from './entry.ts'

const TIME_NAMES = namesOf('time')

type Fields = Record<string, unknown>
type Completed = { json: string; day: string }

/** `json` is the text of the object `fields`, on one line. */
export function completeRecord(json: string, fields: Fields, defaults: Defaults): Completed {
  const missing = (Object.keys(defaults) as (keyof Defaults)[]).filter(
    (name) => saidField(fields, name) === undefined && !(name === 'level' && statesLevel(fields)),
  )
  const day = dayOf(fields)
  if (missing.length === 0) return { json, day }
  // Of a name that stands twice in JSON the last value counts, and here that is one that says nothing.
  const added = Object.fromEntries(missing.map((name) => [freeName(fields, name), defaults[name]]))
  const rest = json.trimStart().slice(1)
  const separator = Object.keys(fields).length === 0 ? '' : ','
  return { json: `${JSON.stringify(added).slice(0, -1)}${separator}${rest}`, day }
}

/** The service reads such a level. */
function statesLevel(fields: Fields): boolean {
  const message = saidField(fields, 'message')?.value
  return typeof message === 'string' && levelOfText(message) !== null
}

/** A request may hold few different days. Only as exact as that needs; the empty text stands for "when it arrives". */
function dayOf(fields: Fields): string {
  for (const name of TIME_NAMES) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return dayOfText(value)
    if (typeof value === 'number' && value >= FIRST_EPOCH) return dayOfMs(epochToUs(value) / 1e3)
  }
  return ''
}

function dayOfText(text: string): string {
  const iso = /^\s*\[?(\d{4})[-/.](\d\d)[-/.](\d\d)/.exec(text)
  if (iso) return `${iso[1]}-${iso[2]}-${iso[3]}`
  const instant = parseInstant(text)
  if (typeof instant === 'number') return dayOfMs(instant / 1e3)
  // No parser reads `10/Oct/2000:13:55:36 -0700` as it is.
  return dayOfMs(Date.parse(text.replace(/^(\d{1,2})\/([A-Za-z]{3})\/(\d{4}):/, '$1 $2 $3 ')))
}

function dayOfMs(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString().slice(0, 10) : 'unknown'
}
