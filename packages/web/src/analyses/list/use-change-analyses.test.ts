import { expect, it } from 'vitest'
import { undoing } from './use-change-analyses.ts'

it('takes each analysis back to the state that it was in', () => {
  const chosen = [
    { id: 'a', state: 'new' },
    { id: 'b', state: 'ignored' },
    { id: 'c', state: 'ongoing' },
  ] as const
  expect(undoing('resolve', chosen)).toEqual(
    new Map([
      ['reopen', ['a', 'c']],
      ['ignore', ['b']],
    ]),
  )
})
