import { expect, it } from 'vitest'
import { BenchmarkRecords, ndjsonBodies } from './benchmark-records.ts'

const records = new BenchmarkRecords({ seed: 1, nowMs: 1_700_000_000_000 })
const sample = Array.from({ length: 20_000 }, () => records.next())
const share = (count: number) => count / sample.length

it('keeps the size and the mixture that earlier figures were measured with', () => {
  const bytes = sample.reduce((sum, record) => sum + JSON.stringify(record).length, 0) / sample.length
  expect(Math.round(bytes)).toBe(338)
  expect(share(sample.filter(({ attributes }) => attributes !== undefined).length)).toBeCloseTo(0.4, 1)
  expect(share(sample.filter(({ error }) => error !== undefined).length)).toBeCloseTo(0.03, 2)
})

it('is the same for the same seed', () => {
  expect(new BenchmarkRecords({ seed: 1, nowMs: 1_700_000_000_000 }).next()).toEqual(sample[0])
  expect(sample[0]).toMatchInlineSnapshot(`
    {
      "attributes": {
        "durationMs": 85,
        "http": {
          "method": "GET",
          "status": 200,
        },
        "userId": "u-42738",
      },
      "environment": "production",
      "host": "checkout-5.eu-1.internal",
      "level": "info",
      "message": "user 154493 logged in from 10.125.17.101 after 2 attempts",
      "release": "2026.11.5",
      "service": "checkout",
      "timestamp": "2023-11-14T21:41:41.191Z",
      "traceId": "9ce3b8826d01feac748c7d212391675b",
    }
  `)
})

it('fills each body with the number of records asked for', () => {
  const lines = ndjsonBodies(250, 100).map((body) => body.toString().split('\n').length)
  expect(lines).toEqual([100, 100, 50])
})
