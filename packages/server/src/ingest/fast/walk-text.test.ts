import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ADDRESS_HINT, CARD_HINT, GRAM_HINTS } from '../../redaction/hints.ts'
import { redactSample } from '../../redaction/redact.ts'
import { REDACTION_RULES } from '../../redaction/rules.ts'
import { mayHoldSecret } from '../../redaction/secret-bytes.ts'
import { BUILT_IN_RULE_NAMES, NO_REDACTION_CHANGES } from '../../redaction/settings.ts'
import { SEEDS, shortestTexts } from '../../testing/seeded-secrets.ts'
import { endOf, isWide, maySuspect, walkId, walkName, walkSpan, walkText } from './walk-text.ts'

/** What breaks off a walk is never read the fast way. */
const BREAKS = /["\\\x00-\x1f]/g

function isSuspected(text: string): boolean {
  const bytes = Buffer.from(`before "${text}" behind`)
  const start = 'before "'.length
  const walked = walkText(bytes, start, bytes.length)
  expect(endOf(walked)).toBe(start + Buffer.byteLength(text))
  expect(walkSpan(bytes, start, endOf(walked))).toBe(walked)
  return maySuspect(walked)
}

/** A secret that is not heard would be stored. So the patterns are asked themselves, not only what hears for them. */
function expectHeard(text: string): void {
  const isMatched = REDACTION_RULES.some(({ pattern }) => text.search(pattern) !== -1)
  if (text.length >= SHORTEST_SECRET && isMatched) expect(mayHoldSecret(text), JSON.stringify(text)).toBe(true)
  if (mayHoldSecret(text)) expect(isSuspected(text), JSON.stringify(text)).toBe(true)
}

const SHORTEST_SECRET = 8

const surroundings = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('', ' ', 'x', '7', '-', '=', ': ', '(', '\u00e4', '\u{1f600}'),
)

describe('a walk over a text', () => {
  it.each(SEEDS.map(({ rule }) => rule))('suspects every secret of the rule %s, whatever is around it', (rule) => {
    const { secret, shapes } = SEEDS.find((seed) => seed.rule === rule)!
    let found = 0
    fc.assert(
      fc.property(
        surroundings,
        surroundings,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 0, max: 3 }),
        (a, b, at, to, how) => {
          const whole = `${a}${shapes[at % shapes.length]!(secret())}${b}`.replace(BREAKS, "'")
          const place = to % whole.length
          // As it is, without a character, with one character in the other case, and with one more.
          const text = [
            whole,
            whole.slice(0, place) + whole.slice(place + 1),
            whole.slice(0, place) + otherCase(whole[place]!) + whole.slice(place + 1),
            `${whole.slice(0, place)}${b}${whole.slice(place)}`,
          ][how]!.replace(BREAKS, "'")
          expectHeard(text)
          if (redactSample(NO_REDACTION_CHANGES, text).text !== text) found++
        },
      ),
      { numRuns: 200, seed: 17 },
    )
    // Most of them are still secrets, or the property would say nothing.
    expect(found).toBeGreaterThan(50)
  })

  it('has a seed for every rule that reads text', () => {
    expect(SEEDS.map(({ rule }) => rule).sort()).toEqual(BUILT_IN_RULE_NAMES.filter((name) => name !== 'field').sort())
  })

  it('suspects what quotes and backslashes are part of, where they need not be escaped', () => {
    for (const text of [
      ...shortestTexts(),
      ...SEEDS.flatMap(({ secret, shapes }) => shapes.map((shape) => shape(secret()))),
    ]) {
      const bytes = Buffer.from(`"\\ ${text.replace(/[\x00-\x1f]/g, "'")} "`)
      if (mayHoldSecret(bytes.toString())) expect(maySuspect(walkSpan(bytes, 0, bytes.length)), text).toBe(true)
    }
  })

  it('ends where a text ends that is not in quotes, and is none when a control character comes before', () => {
    expect(endOf(walkSpan(Buffer.from('ab"\\cde'), 1, 5))).toBe(5)
    for (const control of ['\0', '\n', '\t', '\x1f']) expect(walkSpan(Buffer.from(`ab${control}c`), 1, 4)).toBe(0)
  })

  it('suspects the shortest text of every pattern', () => {
    for (const text of shortestTexts()) expectHeard(text.replace(BREAKS, "'"))
  })

  it.each([...GRAM_HINTS, ADDRESS_HINT, CARD_HINT].map((hint) => [hint.source, hint] as const))(
    'hears the hint %s',
    (_, hint) => {
      const source = hint.source.replace(/\(\?<=.*?\[2-6\]\)/, '')
      fc.assert(
        fc.property(fc.stringMatching(new RegExp(`^(?:${source})$`)), surroundings, surroundings, (said, a, b) => {
          const text = `${a}${said}${b}        `
          if (mayHoldSecret(text) && text.search(BREAKS) === -1)
            expect(isSuspected(text), JSON.stringify(text)).toBe(true)
        }),
        { numRuns: 500, seed: 17 },
      )
    },
  )

  it('passes over the usual text of logs', () => {
    for (const text of [
      'GET /api/cart/81723 answered 200 in 12 ms for session 4bf92f3577b34da6',
      'cache miss for key item:5f1d7e2a:price, asked the catalog instead and kept the answer for 300 s',
      'user 123456 logged in from 10.12.13.14 after 2 attempts',
      'retrying in 250 ms: connection to 10.1.2.3:5432 refused',
      'worker 3 took job 0a1b2c3d4e5f6a7b8c9d0e1f from queue mail',
    ]) {
      expect(isSuspected(text), text).toBe(false)
    }
  })

  it('ends at a quote, is none where JSON writes another way than it reads, and notices what is not ASCII', () => {
    for (const walk of [(bytes: Buffer, limit: number) => endOf(walkText(bytes, 0, limit)), nameEnd, idEnd]) {
      expect(walk(Buffer.from('abc"d'), 5)).toBe(3)
      expect(walk(Buffer.from('abc"d'), 3)).toBe(3)
      for (const end of ['\\', '\n', '\0']) expect(walk(Buffer.from(`abc${end}d"`), 6)).toBe(0)
      expect(walk(Buffer.from('abcde"'), 4)).toBe(0)
      expect(walk(Buffer.from('abcde'), 5)).toBe(0)
    }
    expect(walkId(Buffer.from('4bf-92g"'), 0, 8)).toBe(0)
    expect(isWide(walkText(Buffer.from('abc"'), 0, 4))).toBe(false)
    expect(isWide(walkText(Buffer.from('ab\u00e4"'), 0, 5))).toBe(true)
  })
})

const nameEnd = (bytes: Buffer, limit: number) => walkName(bytes, 0, limit)
const idEnd = (bytes: Buffer, limit: number) => walkId(bytes, 0, limit)

function otherCase(character: string): string {
  return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
}
