import { END_OF_TIME_US } from '@tidemark/wire/time/instant'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logId, parseLogId, SequenceSource, sequenceFromBigInt, sequenceToBigInt } from './log-id.ts'

const sequence = fc.record({
  hi: fc.integer({ min: 0, max: 2 ** 30 - 1 }),
  lo: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
})
const timeUs = fc.integer({ min: 0, max: END_OF_TIME_US - 1 })

describe('the id of a record', () => {
  it('tells time and sequence, to the microsecond', () => {
    fc.assert(
      fc.property(timeUs, sequence, (time, seq) => {
        expect(parseLogId(logId({ timeUs: time, sequence: seq }))).toEqual({ timeUs: time, sequence: seq })
      }),
    )
    for (let us = 0; us < 1000; us++) {
      expect(parseLogId(logId({ timeUs: 1_750_000_000_000_000 + us, sequence: { hi: 0, lo: 0 } }))?.timeUs).toBe(
        1_750_000_000_000_000 + us,
      )
    }
  })

  it('sorts as the records do: by time, then by sequence', () => {
    fc.assert(
      fc.property(timeUs, timeUs, sequence, sequence, (timeA, timeB, seqA, seqB) => {
        const [a, b] = [
          { timeUs: timeA, sequence: seqA },
          { timeUs: timeB, sequence: seqB },
        ]
        const order = timeA - timeB || Number(sequenceToBigInt(seqA) - sequenceToBigInt(seqB))
        expect(Math.sign(order)).toBe(logId(a) < logId(b) ? -1 : logId(a) > logId(b) ? 1 : 0)
      }),
    )
  })

  it('is a UUIDv7 with a prefix', () => {
    const id = logId({ timeUs: 1_750_000_000_123_456, sequence: { hi: 0x3fffffff, lo: 0xffffffff } })
    expect(id).toBe('log_01977420-dc7b-774b-bfff-ffffffffffff')
  })

  it('is refused when it is anything else', () => {
    const good = 'log_01977420-dc7b-774b-bfff-ffffffffffff'
    expect(parseLogId(good)).not.toBeNull()
    for (const bad of [
      '',
      'log_',
      good.toUpperCase(),
      `${good}0`,
      good.replace('-7', '-4'),
      good.replace('-b', '-c'),
      good.slice(4),
      'log_ffffffff-ffff-7000-8000-000000000000',
    ]) {
      expect(parseLogId(bad), bad).toBeNull()
    }
  })
})

describe('the sequence', () => {
  it('counts up, never repeats, and starts anew somewhere else when the counter is used up', () => {
    const source = new SequenceSource()
    const first = sequenceToBigInt(source.next())
    let last = first
    for (let i = 1; i < 2 ** 24; i++) {
      const next = source.next()
      if (i > 2 ** 24 - 3) last = sequenceToBigInt(next)
    }
    expect(first % 2n ** 24n).toBe(0n)
    expect(last - first).toBe(2n ** 24n - 1n)
    const fresh = sequenceToBigInt(source.next())
    expect(fresh >> 24n).not.toBe(first >> 24n)
    expect(fresh % 2n ** 24n).toBe(0n)
  })

  it('passes through a whole number of 62 bits', () => {
    fc.assert(
      fc.property(sequence, (seq) => {
        expect(sequenceFromBigInt(sequenceToBigInt(seq))).toEqual(seq)
      }),
    )
  })
})
