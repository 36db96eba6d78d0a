import { describe, expect, it } from 'vitest'
import { MAX_SYSLOG_MESSAGE_BYTES } from '../../limits.ts'
import { FrameSplitter } from './frame-splitter.ts'

function split(chunks: readonly (string | Buffer)[], { end = true } = {}) {
  const messages: string[] = []
  let tooLong = 0
  const splitter = new FrameSplitter({
    message: (bytes) => void messages.push(bytes.toString()),
    tooLong: () => void tooLong++,
  })
  const usable = chunks.every((chunk) => splitter.push(Buffer.from(chunk)))
  if (end) splitter.end()
  return { messages, tooLong, usable }
}

const counted = (text: string) => `${Buffer.byteLength(text)} ${text}`

describe('a stream of syslog', () => {
  it('is split at the ends of lines', () => {
    expect(split(['<13>a\n<13>b\r\n\n<13>c\0\n'])).toEqual({
      messages: ['<13>a', '<13>b', '<13>c'],
      tooLong: 0,
      usable: true,
    })
  })

  it('is split by the lengths before the messages, which may hold line ends', () => {
    expect(split([counted('<13>a\nb') + counted('<13>ü')]).messages).toEqual(['<13>a\nb', '<13>ü'])
  })

  it('may change from one to the other', () => {
    expect(split([`${counted('<13>a')}<13>b\n${counted('<13>c')}`]).messages).toEqual(['<13>a', '<13>b', '<13>c'])
  })

  it('is read the same in pieces of any size', () => {
    const all = Buffer.from(`${counted('<13>one\ntwo')}<13>three\n12 is no length\n${counted('<13>four')}`)
    const whole = split([all]).messages
    expect(whole).toEqual(['<13>one\ntwo', '<13>three', '12 is no length', '<13>four'])
    for (let size = 1; size < all.length; size++) {
      const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
        all.subarray(at * size, (at + 1) * size),
      )
      expect(split(pieces).messages).toEqual(whole)
    }
  })

  it('may end without the end of its last line, but not within a counted message', () => {
    expect(split(['<13>a\n<13>b']).messages).toEqual(['<13>a', '<13>b'])
    expect(split(['20 <13>half']).messages).toEqual([])
    expect(split(['<13>not yet'], { end: false }).messages).toEqual([])
  })

  it.each([
    ['a counted message', counted(`<13>${'x'.repeat(MAX_SYSLOG_MESSAGE_BYTES)}`)],
    ['a line', `<13>${'x'.repeat(MAX_SYSLOG_MESSAGE_BYTES)}\n`],
  ])('goes on after %s that is too long', (_, long) => {
    const pieces = [long.slice(0, 40_000), long.slice(40_000, 66_000), `${long.slice(66_000)}<13>next\n`]
    expect(split(pieces)).toEqual({ messages: ['<13>next'], tooLong: 1, usable: true })
  })

  it('takes a message of the greatest length', () => {
    const longest = `<13>${'x'.repeat(MAX_SYSLOG_MESSAGE_BYTES - 4)}`
    expect(split([counted(longest), `${longest}\n`])).toEqual({
      messages: [longest, longest],
      tooLong: 0,
      usable: true,
    })
  })

  it('is given up at a length that nobody means', () => {
    expect(split(['999999999999 <13>x']).usable).toBe(false)
    expect(split(['1'.repeat(70_000)]).usable).toBe(false)
  })

  it('of a hundred megabytes without an end keeps none of them', () => {
    const chunk = Buffer.alloc(65_536, 'x')
    const splitter = new FrameSplitter({ message: () => {}, tooLong: () => {} })
    const before = process.memoryUsage().arrayBuffers
    for (let sent = 0; sent < 1_600; sent++) splitter.push(chunk)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024)
  })
})
