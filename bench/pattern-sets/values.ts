/** Values as programs interpolate them. Choices are skewed: the first ones are the most frequent, as in life. */
import { type Line, text, type Value, type Written } from './call.ts'
import { areSentences, isPartOfSentence } from './label.ts'

export const int =
  (least: number, most: number): Value =>
  ({ random }) =>
    String(random.between(least, most))

/** Small ones are more frequent: sizes, durations, counts. */
export const amount =
  (least: number, most: number): Value =>
  ({ random }) =>
    String(Math.floor(least * (most / least) ** random.next()))

export const decimal =
  (least: number, most: number, digits: number): Value =>
  ({ random }) =>
    (least + (most - least) * random.next()).toFixed(digits)

export const padded =
  (digits: number, value: Value): Value =>
  (line) =>
    value(line).padStart(digits, '0')

/** Grows from line to line: sequence numbers, offsets, process ids. */
export const rising =
  (from: number, perLine: number): Value =>
  ({ random, at }) =>
    String(from + Math.floor((at + random.next()) * perLine))

export const hex =
  (digits: number): Value =>
  ({ random }) =>
    random.hex(digits)

export const upper =
  (value: Value): Value =>
  (line) =>
    value(line).toUpperCase()

export function oneOf(...choices: string[]): Value {
  const chosen = ({ random }: Line) => choices[skewed(random.next(), choices.length)]!
  return Object.assign(chosen, { choices, part: isPartOfSentence(choices) ? partOf(chosen) : undefined })
}

/** One of these words, which a space parts. */
export const words = (choices: string): Value => oneOf(...choices.split(' '))

/** One of several shapes. */
export function either(...shapes: Value[]): Value {
  const shape = (line: Line) => shapes[skewed(line.random.next(), shapes.length)]!
  const written: Value = (line) => shape(line)(line)
  if (areSentences(shapes)) return Object.assign(written, { phrase: (line: Line) => shape(line).sentence!(line) })
  if (shapes.some(({ choices }) => choices === undefined)) return written
  return Object.assign(written, { choices: shapes.flatMap(({ choices = [] }) => choices) })
}

/** The value in this share of lines, else nothing. */
export function maybe(share: number, value: Value): Value {
  const written: Value = (line) => (line.random.chance(share) ? value(line) : '')
  const { choices, part } = value
  if (part === undefined) return Object.assign(written, { choices: choices && ['', ...choices] })
  const phrase = (line: Line) => (line.random.chance(share) ? part(line) : { text: '', template: '' })
  return Object.assign(written, { phrase })
}

export const list =
  (least: number, most: number, value: Value, separator = ', '): Value =>
  (line) =>
    Array.from({ length: line.random.between(least, most) }, () => value(line)).join(separator)

/** Some of these words, each once. */
export const someOf =
  (least: number, most: number, choices: string, separator = ', '): Value =>
  ({ random }) => {
    const left = choices.split(' ')
    const taken = Array.from(
      { length: random.between(least, most) },
      () => left.splice(random.below(left.length), 1)[0],
    )
    return taken.join(separator)
  }

/** This many different values, which come back on other lines. */
export function few(count: number, value: Value): Value {
  const from: Value = (line) => {
    const pool = line.pools.get(from) ?? Array.from({ length: count }, () => value(line))
    line.pools.set(from, pool)
    return pool[skewed(line.random.next(), count)]!
  }
  return from
}

/** The same in every place of one line. */
export function once(value: Value): Value {
  const same: Value = (line) => {
    const known = line.repeated.get(same) ?? value(line)
    line.repeated.set(same, known)
    return known
  }
  return Object.assign(same, { choices: value.choices })
}

/** All of its words are its template. */
function partOf(value: Value): (line: Line) => Written {
  return (line) => {
    const text = value(line)
    return { text, template: text }
  }
}

/** A power prefers the first choices and still reaches the last ones in a long log. */
const skewed = (share: number, count: number): number => Math.floor(share ** 2.2 * count)

export const flag = oneOf('false', 'true')
export const uuid = text`${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
export const privateIp = text`10.${int(0, 4)}.${int(0, 255)}.${int(1, 254)}`
export const publicIp = text`${int(11, 212)}.${int(0, 255)}.${int(0, 255)}.${int(1, 254)}`
export const port = int(1_024, 65_535)
export const mac = list(6, 6, hex(2), ':')
export const clock = text`${padded(2, int(0, 23))}:${padded(2, int(0, 59))}:${padded(2, int(0, 59))}`
export const day = text`2025-${padded(2, int(1, 12))}-${padded(2, int(1, 28))}`
export const moment = text`${day}T${clock}.${padded(3, int(0, 999))}Z`
export const shortDate = text`${oneOf('Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun')} ${int(1, 28)} ${clock}`

export const base36 =
  (length: number): Value =>
  (line: Line) =>
    Array.from({ length }, () => line.random.below(36).toString(36)).join('')

export const person = words(
  'root anna deploy mkowalski jsmith backup li.wei oracle peter fatima git svc_report thomas n.okafor guest carlos ines hduser yuki maria.lopez tobias postgres kim bob',
)
export const domain = words(
  'example.com example.org mail.example.net acme-tools.example uni-north.example shop.example newsletter.example post.example bigcorp.example cloud.example freemail.example travel.example',
)
export const email = text`${person}@${domain}`
