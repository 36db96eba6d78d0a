/**
 * A record's id is made of what orders it in the table, so that an id finds its record by primary key and no column is
 * spent on it. It is a UUIDv7: 48 bits of milliseconds, 12 bits of what is left of the time, 62 bits of sequence.
 */
import { randomInt } from 'node:crypto'
import { END_OF_TIME_US } from '@tidemark/wire/time/instant'

/** 62 bits, as two halves: `hi` holds 30 of them. */
export type Sequence = { hi: number; lo: number }

export type LogKey = { timeUs: number; sequence: Sequence }

const COUNTER_LIMIT = 2 ** 24
/** Narrower than `recordIdIn`, by which a text is taken for an id: only what `logId` can have written. */
const ID_FORM = /^log_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export function logId({ timeUs, sequence }: LogKey): string {
  const ms = Math.floor(timeUs / 1000)
  const fraction = Math.floor(((timeUs - ms * 1000) * 4096) / 1000)
  const time = hex(ms, 12)
  const upper = hex((0x80000000 | sequence.hi) >>> 0, 8)
  const lower = hex(sequence.lo, 8)
  return `log_${time.slice(0, 8)}-${time.slice(8)}-7${hex(fraction, 3)}-${upper.slice(0, 4)}-${upper.slice(4)}${lower}`
}

/** Null when the text cannot be the id of a record. */
export function parseLogId(id: string): LogKey | null {
  if (!ID_FORM.test(id)) return null
  const digits = id.slice(4).replaceAll('-', '')
  const fraction = Number.parseInt(digits.slice(13, 16), 16)
  const us = Math.ceil((fraction * 1000) / 4096)
  const timeUs = Number.parseInt(digits.slice(0, 12), 16) * 1000 + us
  // The engine silently changes later times.
  if (us > 999 || timeUs >= END_OF_TIME_US) return null
  return {
    timeUs,
    sequence: {
      hi: Number.parseInt(digits.slice(16, 24), 16) & 0x3fffffff,
      lo: Number.parseInt(digits.slice(24), 16),
    },
  }
}

/**
 * Numbers records within one process: 38 random bits, then a counter. The chance that two processes share the random
 * bits is one in 275 billion, and even then their times would have to match; counting keeps the column small on disk.
 */
export class SequenceSource {
  #hi = 0
  #loBase = 0
  #counter = COUNTER_LIMIT

  next(): Sequence {
    if (this.#counter === COUNTER_LIMIT) this.#startEpoch()
    return { hi: this.#hi, lo: this.#loBase + this.#counter++ }
  }

  #startEpoch(): void {
    this.#hi = randomInt(2 ** 30)
    this.#loBase = randomInt(2 ** 8) * COUNTER_LIMIT
    this.#counter = 0
  }
}

export function sequenceToBigInt({ hi, lo }: Sequence): bigint {
  return (BigInt(hi) << 32n) | BigInt(lo)
}

export function sequenceFromBigInt(value: bigint): Sequence {
  return { hi: Number(value >> 32n), lo: Number(value & 0xffffffffn) }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
