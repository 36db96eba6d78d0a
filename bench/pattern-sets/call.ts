/**
 * A set is an invented program: the logger calls in its source and how often each of them runs. The true template of a
 * line is the text of its call, with a placeholder for what the call interpolates unless that is one of a handful of
 * words: `label.ts` has the rule.
 */
import { Random } from '../../packages/demo/src/shop/random.ts'
import { choicesOf, isPartOfSentence, isSentence, writtenOf } from './label.ts'

const LINES_OF_A_SET = 2_000

export interface LabelledLine {
  message: string
  template: string
}

export interface ProgramLog {
  name: string
  /** Held-out sets judge a miner; nobody looks at them while changing it. */
  heldOut: boolean
  calls: readonly Call[]
}

export interface Call {
  /** Its text as it stands in the source, to tell calls apart. */
  source: string
  /** Its share among the calls that run often, or `rare`: one to five lines. */
  weight: number | 'rare'
  write: (line: Line) => Written
}

export interface Written {
  text: string
  template: string
}

/** What a call interpolates. */
export interface Value {
  (line: Line): string
  /** All that it can be, when it is one of some words that are written down. */
  choices?: readonly string[] | undefined
  /** The text with its own template, when it begins or ends as a part of a sentence does. */
  part?: ((line: Line) => Written) | undefined
  /** The text with its own template, when it has the words of a sentence. */
  sentence?: ((line: Line) => Written) | undefined
  /** One of the two, where lines differ in which part or which sentence they have. */
  phrase?: ((line: Line) => Written) | undefined
}

/** One line while it is written. */
export interface Line {
  random: Random
  /** Its place in the log, from 0. */
  at: number
  /** Values that the line has in several places. */
  repeated: Map<Value, string>
  /** Values that come back on other lines of the same log. */
  pools: Map<Value, string[]>
}

type Tag<T> = (constants: TemplateStringsArray, ...values: Value[]) => T

/** A call that runs often: `` call(40)`user ${user} signed in` ``. */
export const call =
  (weight: number): Tag<Call> =>
  (constants, ...values) =>
    callOf(weight, constants, values)

/** A call of the long tail. */
export const rare: Tag<Call> = (constants, ...values) => callOf('rare', constants, values)

function callOf(weight: Call['weight'], constants: readonly string[], values: readonly Value[]): Call {
  return { source: constants.join('<*>'), weight, write: (line) => writtenOf(constants, values, line) }
}

/** Text with values in it that is a value itself, such as an address made of a host and a port. */
export const text: Tag<Value> = (constants, ...values) => {
  const written = (line: Line) => writtenOf(constants, values, line)
  return Object.assign((line: Line) => written(line).text, {
    choices: choicesOf(constants, values),
    part: isPartOfSentence([constants.join('<*>')]) ? written : undefined,
    sentence: isSentence(constants) ? written : undefined,
  })
}

export function linesOf({ name, calls }: ProgramLog, seed: number): LabelledLine[] {
  const twice = calls.find(({ source }, at) => calls.findIndex((other) => other.source === source) !== at)
  if (twice !== undefined) throw new Error(`${name} has two calls with the text "${twice.source}".`)
  const random = new Random(seed, name)
  const pools = new Map<Value, string[]>()
  return callsInOrder(calls, random).map(({ write }, at) => {
    const { text: message, template } = write({ random, at, repeated: new Map(), pools })
    return { message, template }
  })
}

function callsInOrder(calls: readonly Call[], random: Random): Call[] {
  const often = calls.filter(({ weight }) => weight !== 'rare')
  const seldom = calls.filter(({ weight }) => weight === 'rare')
  const ran = [...often, ...seldom.flatMap((one) => Array<Call>(random.pick(RARE_COUNTS)).fill(one))]
  while (ran.length < LINES_OF_A_SET) ran.push(byWeight(often, random))
  for (let at = ran.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[ran[at], ran[other]] = [ran[other]!, ran[at]!]
  }
  return ran
}

function byWeight(calls: readonly Call[], random: Random): Call {
  let left = random.next() * calls.reduce((sum, one) => sum + weightOf(one), 0)
  for (const one of calls) {
    left -= weightOf(one)
    if (left < 0) return one
  }
  return calls[0]!
}

const weightOf = ({ weight }: Call): number => (weight === 'rare' ? 0 : weight)

const RARE_COUNTS = [1, 1, 1, 1, 2, 2, 3, 3, 4, 5] as const
