import { expect, it } from 'vitest'
import { formatBytes } from './format-bytes.ts'
import { unbroken } from './unbroken.ts'

it('counts bytes in thousands, with one digit after the point', () => {
  const shown = [0, 999, 1_000, 3_721_068, 999_999, 1_250_000_000].map(formatBytes)
  expect(shown).toEqual(['0 bytes', '999 bytes', '1.0 kB', '3.7 MB', '1.0 MB', '1.3 GB'].map(unbroken))
})
