import { expect, it } from 'vitest'
import { firstCharacters } from './first-characters.ts'

it('cuts a text by whole characters, also where each takes two places', () => {
  expect([firstCharacters('deploy', 6), firstCharacters('deploy', 3), firstCharacters('', 3)]).toEqual([
    'deploy',
    'dep',
    '',
  ])
  expect([firstCharacters('😀😀😀', 2), firstCharacters('a😀b😀c', 3)]).toEqual(['😀😀', 'a😀b'])
})
