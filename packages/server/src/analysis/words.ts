/** Durations, amounts and names as they are written in a sentence. */
import { hashInSentence } from '@tidemark/wire/deploys/revision'
import { DAY_US, HOUR_US, MINUTE_US, SECOND_US } from '@tidemark/wire/time/units'
import { cutWithEllipsis } from '../model/cut-text.ts'

const UNITS = [
  { name: 'd', sizeUs: DAY_US },
  { name: 'h', sizeUs: HOUR_US },
  { name: 'min', sizeUs: MINUTE_US },
  { name: 's', sizeUs: SECOND_US },
]
const MAX_NAME_IN_SENTENCE_CHARACTERS = 60
/** From this many units on, the fraction of another one is left out. */
const MANY_UNITS = 10

/** `4 min`, `2 h`, `36 h`, `3 d`: the largest unit of which there are at least two, rounded down; below a second, `under 1 s`. */
export function durationWords(durationUs: number): string {
  const lengthUs = Math.abs(durationUs)
  const unit = UNITS.find(({ sizeUs }) => lengthUs >= 2 * sizeUs) ?? UNITS.findLast(({ sizeUs }) => lengthUs >= sizeUs)
  if (unit === undefined) return lengthUs === 0 ? '0 s' : 'under 1 s'
  return `${Math.floor(lengthUs / unit.sizeUs)} ${unit.name}`
}

/** `the hour`, `the 24 h`, and with the smaller unit where it matters: `the 2 h 52 min`. For counted spans. */
export function spanWords(lengthUs: number): string {
  if (lengthUs === HOUR_US) return 'the hour'
  const at = UNITS.findIndex(({ sizeUs }) => lengthUs >= 2 * sizeUs)
  const [unit, smaller] = at === -1 ? [] : UNITS.slice(at)
  if (unit === undefined || smaller === undefined) return `the ${durationWords(lengthUs)}`
  const count = Math.floor(lengthUs / unit.sizeUs)
  const rest = Math.floor((lengthUs % unit.sizeUs) / smaller.sizeUs)
  return count >= MANY_UNITS || rest === 0
    ? `the ${count} ${unit.name}`
    : `the ${count} ${unit.name} ${rest} ${smaller.name}`
}

/** Said wherever an answer lacks what only the records tell, which is so for moments at a time. */
export function awayWords(whatIsMissing: string): string {
  return `The log store did not answer, so ${whatIsMissing}: ask again in a moment.`
}

/** A rate or a factor: with one decimal where that is a good part of it. */
export function amountWords(amount: number): string {
  return String(amount >= 10 ? Math.round(amount) : Math.round(amount * 10) / 10)
}

/** A stranger's name on one short line: the sentences are ours, the names are not. */
export function nameWords(name: string): string {
  const line = oneShortLine(name).trim()
  return line === '' ? '(empty)' : line
}

/** The same with quotes where spaces at an end are why two names differ: they cannot be seen without. */
export function exactNameWords(name: string): string {
  const line = oneShortLine(name)
  return line === line.trim() && line !== '' ? line : JSON.stringify(line)
}

export function oneShortLine(text: string, maxCharacters = MAX_NAME_IN_SENTENCE_CHARACTERS): string {
  return cutWithEllipsis(text.replace(/[\s\p{Cc}]+/gu, ' '), maxCharacters)
}

/** Only the beginning of a hash; other revisions as they are. */
export function shaWords(sha: string): string {
  return nameWords(hashInSentence(sha))
}
