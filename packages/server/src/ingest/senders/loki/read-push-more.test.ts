import { describe, expect, it } from 'vitest'
import { bytesField, snappyLiterals } from '../../testing/loki-protobuf.ts'
import { readBody } from '../../testing/read-body.ts'

const sender = { protocol: 'loki' } as const

describe('a push is refused', () => {
  it('with more streams or labels than it may hold, in protobuf', () => {
    const streams = (count: number, labels: string) =>
      readBody(snappyLiterals(Buffer.concat(Array(count).fill(bytesField(1, bytesField(1, labels))))), {
        sender,
        type: 'application/x-protobuf',
      })
    expect(streams(50_000, '{}').total).toBe(0)
    expect(() => streams(50_001, '{}')).toThrow(/at most 50,000 streams/)
    const labels = `{${Array.from({ length: 40 }, (_, at) => `l${at}=""`)}}`
    expect(streams(40_000, labels).total).toBe(0)
    expect(() => streams(49_999, labels)).toThrow(/too many labels/)
  })
})
