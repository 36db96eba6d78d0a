import { expect, it } from 'vitest'
import { SequenceSource } from '../../logstore/schema/log-id.ts'
import { warmUp } from './warm-up.ts'

it('encodes every record it makes up', () => {
  expect(warmUp(new SequenceSource())).toBe(200 * 5 * 6)
})
