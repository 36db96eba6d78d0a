import { expect, it } from 'vitest'
import { inflate } from '../../../server/src/bytes/inflate.ts'
import { packed } from './packed.ts'

it.each([
  ['ordinary text, small', Array.from({ length: 50_000 }, (_, at) => `order ${at * 7919} shipped`).join('\n'), 'gzip'],
  ['text that repeats itself, as it is: it would inflate too much', ';AAAA'.repeat(1_000_000), undefined],
  ['nothing', '', 'gzip'],
])('sends %s', async (_, text, encoding) => {
  const { body, headers } = await packed(text)
  expect(headers['Content-Encoding']).toBe(encoding)
  expect(Buffer.from(inflate(body, encoding ?? '')).toString()).toBe(text)
})
