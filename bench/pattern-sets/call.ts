/**
 * A set is an invented program: the logger calls in its source and how often each of them runs. What a call interpolates
 * is a variable, all other text of the call is constant, and so the call is the true template of the lines it writes.
 */
import { Random } from '../../packages/demo/src/shop/random.ts'

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

interface Call {
  template: string
  /** Its share among the calls that run often, or `rare`: one to five lines. */
  weight: number | 'rare'
  write: Value
}

/** What a call interpolates. */
export type Value = (line: Line) => string

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
  (constants, ...values) => ({ template: constants.join('<*>'), weight, write: text(constants, ...values) })

/** A call of the long tail. */
export const rare: Tag<Call> = (constants, ...values) => ({
  template: constants.join('<*>'),
  weight: 'rare',
  write: text(constants, ...values),
})

/** Text with values in it that is a value itself, such as an address made of a host and a port. */
export const text: Tag<Value> =
  (constants, ...values) =>
  (line) =>
    constants.reduce((written, constant, at) => written + values[at - 1]!(line) + constant)

export function linesOf({ name, calls }: ProgramLog, seed: number): LabelledLine[] {
  const twice = calls.find(({ template }, at) => calls.findIndex((other) => other.template === template) !== at)
  if (twice !== undefined) throw new Error(`${name} has two calls with the template "${twice.template}".`)
  const random = new Random(seed, name)
  const pools = new Map<Value, string[]>()
  return callsInOrder(calls, random).map(({ template, write }, at) => ({
    message: write({ random, at, repeated: new Map(), pools }),
    template,
  }))
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
