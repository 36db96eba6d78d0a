import { describe, expect, it } from 'vitest'
import { readBody } from '../testing/read-body.ts'

const read = (text: string) => readBody(text, { type: 'application/x-ndjson' })

describe('lines', () => {
  it('start afresh each time, so that a broken one cannot hide or spoil the next', () => {
    expect(() => read(`{"open string\n${'['.repeat(40)}`)).toThrow('deeper')
    expect(() => read(`{"open escape\\\n${'['.repeat(40)}`)).toThrow('deeper')
    const { records, rejected } = read(`${'{"a":[\n'.repeat(50)}{"message":"m"}`)
    expect(records).toHaveLength(1)
    expect(rejected).toHaveLength(50)
  })

  it('hold two million values together, not each', () => {
    const line = `{"message":"m","a":[${'1,'.repeat(700_000)}1]}\n`
    expect(() => read(line.repeat(3))).toThrow('2,000,000 values')
  })
})
