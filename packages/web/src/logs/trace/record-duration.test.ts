import { expect, it } from 'vitest'
import { durationUs } from './record-duration.ts'

it.each([
  [{ duration: 21 }, 21_000],
  [{ 'http.duration_ms': 1.5 }, 1_500],
  [{ durationMs: 8 }, 8_000],
  [{ 'db.elapsed.us': 40 }, 40],
  [{ responseTime: 3 }, 3_000],
  [{ latencySeconds: 2 }, 2e6],
  [{ duration: '21' }, undefined],
  [{ durationOfStay: 4 }, undefined],
  [{ took: 0 }, undefined],
  [{ durationSeconds: 86_400 }, undefined],
])('reads from %j: %s microseconds', (attributes, us) => {
  expect(durationUs({ attributes: attributes as Record<string, string | number> })).toBe(us)
})
