import { expect, it } from 'vitest'
import { ignoringRule, isWorthSending, NO_RULE } from './ignore-rule.ts'

it('names a type, a service or both, or the words that titles begin with and their service', () => {
  expect(ignoringRule({ ...NO_RULE, type: ' Timeout ' })).toEqual({ type: 'Timeout' })
  expect(ignoringRule({ ...NO_RULE, type: 'Timeout', service: 'shop' })).toEqual({ type: 'Timeout', service: 'shop' })
  expect(ignoringRule({ ...NO_RULE, by: 'words', words: ' no stock of ', service: 'shop' })).toEqual({
    titleBegins: 'no stock of',
    service: 'shop',
  })
})

it('leaves out what is typed into a field that is not shown', () => {
  const both = { type: 'Timeout', words: 'no stock', service: 'shop' }
  expect(ignoringRule({ by: 'type', ...both })).toEqual({ type: 'Timeout', service: 'shop' })
  expect(ignoringRule({ by: 'words', ...both })).toEqual({ titleBegins: 'no stock', service: 'shop' })
})

it('can be sent as soon as it says something, so that the form says what is missing', () => {
  expect(isWorthSending(NO_RULE)).toBe(false)
  expect(isWorthSending({ ...NO_RULE, service: 'shop' })).toBe(true)
  expect(isWorthSending({ ...NO_RULE, by: 'words', service: 'shop', words: ' ' })).toBe(false)
  expect(isWorthSending({ ...NO_RULE, by: 'words', words: 'no stock' })).toBe(true)
})
