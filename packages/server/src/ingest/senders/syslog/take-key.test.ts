import { describe, expect, it } from 'vitest'
import { takeKey } from './take-key.ts'

const HEAD = '<14>1 2026-11-15T12:00:00Z web-1 shop 17 start '
const KEY = 'tidemark_ingest_0123456789'
const taken = (text: string) => {
  const found = takeKey(Buffer.from(text))
  return found && { key: found.key, message: found.message.toString() }
}

describe('the key of a message', () => {
  it.each([
    ['alone', `[tidemark@32473 key="${KEY}"]`, '[tidemark@32473]'],
    ['before another parameter', `[tidemark@32473 key="${KEY}" env="x"]`, '[tidemark@32473 env="x"]'],
    ['after another parameter', `[tidemark@32473 env="x" key="${KEY}"]`, '[tidemark@32473 env="x"]'],
    ['after another element', `[a@1 b="c\\]\\""][tidemark@32473 key="${KEY}"]`, '[a@1 b="c\\]\\""][tidemark@32473]'],
    ['under another number', `[tidemark@1.2.3 key="${KEY}"]`, '[tidemark@1.2.3]'],
    ['under no number', `[tidemark key="${KEY}"]`, '[tidemark]'],
    ['twice', `[tidemark key="${KEY}" key="${KEY}"][tidemark@7 key="${KEY}"]`, '[tidemark][tidemark@7]'],
  ])('is taken out where it stands %s', (_, sent, left) => {
    expect(taken(`${HEAD}${sent} hello`)).toEqual({ key: KEY, message: `${HEAD}${left} hello` })
  })

  it.each([
    ['the element of somebody else', `${HEAD}[other@32473 key="a"] hello`],
    ['a name that only begins like ours', `${HEAD}[tidemarks@32473 key="a"] hello`],
    ['the text', `${HEAD}- [tidemark@32473 key="a"] hello`],
    ['a message of the older form', `<14>Nov 15 12:00:00 web-1 shop: [tidemark@32473 key="a"] hello`],
  ])('is not looked for in %s', (_, message) => {
    expect(taken(message)).toEqual({ key: null, message })
  })

  it.each([
    ['two different keys', '[tidemark key="a"][tidemark key="b"]'],
    ['an element without its end', `[tidemark@32473 key="${KEY}"`],
    ['a value without its end', `[tidemark@32473 key="${KEY}]`],
    ['a value without quotes', `[tidemark@32473 key=${KEY}]`],
    ['an element without a name', `[ key="${KEY}"]`],
    ['a name that is too long', `[${'a'.repeat(65)} key="b"]`],
    ['thousands of elements', '[a@1 b="c"]'.repeat(5_000)],
    ['thousands of parameters', `[a@1${' b="c"'.repeat(5_000)}]`],
    ['no structured data at all', 'hello'],
  ])('is not guessed from %s', (_, data) => {
    expect(taken(`${HEAD}${data}`)).toBeNull()
  })
})
