import { expect, it } from 'vitest'
import { errorHeadline } from './error-headline.ts'

it('is the type and the message of an error, or the one that is not empty', () => {
  expect(errorHeadline('TypeError', 'x is undefined')).toBe('TypeError: x is undefined')
  expect(errorHeadline('', 'x is undefined')).toBe('x is undefined')
  expect(errorHeadline('TypeError', '')).toBe('TypeError')
  expect(errorHeadline('', '')).toBe('')
})
