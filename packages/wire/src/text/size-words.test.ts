import { expect, it } from 'vitest'
import { sizeWords } from './size-words.ts'

it('writes sizes in the largest unit that they fill, with one digit behind the point where it says something', () => {
  const shown = [0, 1, 1_023, 1_024, 3_721_068, 1024 ** 2 - 1, 20 * 1024 ** 2, 1.25 * 1024 ** 3, 3 * 1024 ** 6]
  expect(shown.map(sizeWords)).toEqual([
    ...['0 bytes', '1 byte', '1,023 bytes', '1 KiB', '3.5 MiB', '1 MiB', '20 MiB', '1.3 GiB', '3072 PiB'],
  ])
})
