/**
 * What the truth calls constant, decided once for all sets. A labeller keeps words that a program chooses from a handful
 * (`true`, levels, states, verbs, causes), so each of them is a template of its own, and replaces what has many values or
 * the form of a value. What is judged is the whole token that a place belongs to: in `app-${env}-${id}` all is one value.
 *
 * A token is variable when
 * - a part of it is not chosen from words that are written down, or
 * - it has more than `HANDFUL` choices, or
 * - one of the choices is a single word with a digit, or a path, or
 * - it may be empty where a value is expected: after `=` or `:`, or in quotes or brackets.
 *
 * All else is constant. A part of a sentence that some lines have and others have not makes two templates, and so does a
 * handful of sentences one of which is chosen. In a constant text words with a digit are values.
 */
import type { Line, Value, Written } from './call.ts'

/**
 * The labelled sets of loghub have up to five words in one place as templates of their own, and from six on as a variable.
 */
const HANDFUL = 5

const PLACEHOLDER = '<*>'
const TOKEN = String.raw`[\w./\\@+~-]*`
const IS_TOKEN = new RegExp(`^${TOKEN}$`)
const TOKEN_BEFORE = new RegExp(`${TOKEN}$`)
const TOKEN_AFTER = new RegExp(`^${TOKEN}`)
const PATH = /^([~.]{0,2}\/|[A-Za-z]:\\)/
const BEFORE_VALUE = /[=:([{<"'`]$/
const PART_OF_SENTENCE = /^[\s,;]|[\s,;]$/

/** The text of a line with its template, made of constants with values between them. */
export function writtenOf(constants: readonly string[], values: readonly Value[], line: Line): Written {
  const written = values.map((value) => value.phrase?.(line) ?? { text: value(line), template: null })
  const label = (at: number): string => {
    const { text, template } = written[at]!
    return template ?? (isConstant(constants, values, at) ? withoutDigits(text) : PLACEHOLDER)
  }
  return constants.slice(1).reduce(
    (so, constant, at) => ({
      text: so.text + written[at]!.text + constant,
      template: so.template + label(at) + constant,
    }),
    { text: constants[0]!, template: constants[0]! },
  )
}

/** All texts that values can be together with the constants around them; undefined when they are open, or far too many. */
export function choicesOf(constants: readonly string[], values: readonly Value[]): readonly string[] | undefined {
  let choices = [constants[0]!]
  for (const [at, value] of values.entries()) {
    if (value.choices === undefined || choices.length * value.choices.length > 10 * HANDFUL) return undefined
    const own = value.choices
    choices = choices.flatMap((before) => own.map((choice) => before + choice + constants[at + 1]!))
  }
  return choices
}

/** Whether a text begins or ends as a part of a sentence does that can be left out, such as `, 3 lost`. */
export function isPartOfSentence(texts: readonly string[]): boolean {
  return texts.every((text) => PART_OF_SENTENCE.test(text))
}

/** Whether a text with values in it is a sentence rather than a value: two words stand in it. */
export function isSentence(constants: readonly string[]): boolean {
  return (
    constants.some((constant) => constant.includes(' ')) &&
    (constants.join(' ').match(/[A-Za-z]{2,}/g) ?? []).length > 1
  )
}

export function areSentences(shapes: readonly Value[]): boolean {
  return shapes.length <= HANDFUL && shapes.every(({ sentence }) => sentence !== undefined)
}

function isConstant(constants: readonly string[], values: readonly Value[], at: number): boolean {
  let first = at
  let last = at
  while (first > 0 && isJoined(constants, values, first)) first--
  while (last + 1 < values.length && isJoined(constants, values, last + 1)) last++
  const [before] = TOKEN_BEFORE.exec(constants[first]!)!
  const [after] = TOKEN_AFTER.exec(constants[last + 1]!)!
  const choices = choicesOf([before, ...constants.slice(first + 1, last + 1), after], values.slice(first, last + 1))
  if (choices === undefined || new Set(choices).size > HANDFUL) return false
  const expectsValue = BEFORE_VALUE.test(constants[first]!)
  return !choices.some((choice) => (choice === '' ? expectsValue : isValue(choice)))
}

/** Whether nothing that ends a token stands between a place and the one before. */
function isJoined(constants: readonly string[], values: readonly Value[], at: number): boolean {
  return values[at - 1]!.phrase === undefined && values[at]!.phrase === undefined && IS_TOKEN.test(constants[at]!)
}

function isValue(choice: string): boolean {
  return !/\s/.test(choice) && (/\d/.test(choice) || PATH.test(choice))
}

function withoutDigits(text: string): string {
  return text.replace(/\S*\d\S*/g, PLACEHOLDER)
}
