import { expect, it } from 'vitest'
import { firstCodePoints } from './first-code-points.ts'

it('cuts a text by whole characters, also where each takes two places', () => {
  expect([firstCodePoints('deploy', 6), firstCodePoints('deploy', 3), firstCodePoints('', 3)]).toEqual([
    'deploy',
    'dep',
    '',
  ])
  expect([firstCodePoints('😀😀😀', 2), firstCodePoints('a😀b😀c', 3)]).toEqual(['😀😀', 'a😀b'])
})
