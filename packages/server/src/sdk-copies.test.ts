/** The SDK depends on nothing, so it says for itself what everybody else takes from `wire`. */
import { LEVELS } from '@tidemark/wire/level'
import { MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { expect, it } from 'vitest'
import { MAX_NAME_CHARACTERS as NAMES_OF_SDK } from '../../sdk/src/record/encode-record.ts'
import { LEVELS as LEVELS_OF_SDK } from '../../sdk/src/record/level.ts'

it('the SDK knows the levels and the length of names that the service knows', () => {
  expect(LEVELS_OF_SDK).toEqual(LEVELS)
  expect(NAMES_OF_SDK).toBe(MAX_NAME_CHARACTERS)
})
