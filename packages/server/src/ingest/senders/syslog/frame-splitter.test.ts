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

  it('may have line ends between counted messages, which some do not count', () => {
    expect(split([`\n${counted('<13>a')}\n${counted('<13>b')}\r\n${counted('no priority')}\0`])).toEqual({
      messages: ['<13>a', '<13>b', 'no priority'],
      tooLong: 0,
      usable: true,
    })
  })

  it('whose first message is a line stays one of lines, whatever a text holds', () => {
    const lines = [
      '<13>said: hi',
      '99999999 <',
      '5 <13>x',
      '4111111111111111 was the card',
      '999999999999 <13>y',
      '<13>b',
    ]
    expect(split([`${lines.join('\n')}\n`])).toEqual({ messages: lines, tooLong: 0, usable: true })
  })

  it('whose first message is counted is given up where a length is missing', () => {
    expect(split([`${counted('<13>a')}<13>b\n`])).toMatchObject({ messages: ['<13>a'], usable: false })
  })

  it.each(['4111111111111111 was the card', '123456789', '1'.repeat(60_000), '20261117T1200 up', '0 <13>'])(
    'may begin with a line that begins with digits (%#)',
    (line) => {
      expect(split([`${line}\n<13>next\n`])).toEqual({ messages: [line, '<13>next'], tooLong: 0, usable: true })
    },
  )

  it.each([
    [
      'lines',
      '\n<13>one\n12 is no length\n99999999 <\n<13>two\n',
      ['<13>one', '12 is no length', '99999999 <', '<13>two'],
    ],
    ['lines after a number', '123 456\n<13>two\n', ['123 456', '<13>two']],
    ['lengths', `${counted('<13>one\ntwo')}\n${counted('<13>four')}`, ['<13>one\ntwo', '<13>four']],
  ])('of %s is read the same in pieces of any size', (_, text, expected) => {
    const all = Buffer.from(text)
    for (let size = 1; size <= all.length; size++) {
      const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
        all.subarray(at * size, (at + 1) * size),
      )
      expect(split(pieces)).toEqual({ messages: expected, tooLong: 0, usable: true })
    }
  })

  it('may end without the end of its last line, but not within a counted message', () => {
    expect(split(['<13>a\n<13>b']).messages).toEqual(['<13>a', '<13>b'])
    expect(split(['20 <13>half']).messages).toEqual([])
    expect(split(['<13>a\n4711']).messages).toEqual(['<13>a', '4711'])
    expect(split(['4711']).messages).toEqual(['4711'])
    expect(split(['<13>not yet'], { end: false }).messages).toEqual([])
  })

  it.each([
    ['a counted message', counted(`<13>${'x'.repeat(MAX_SYSLOG_MESSAGE_BYTES)}`), counted('<13>next')],
    ['a line', `<13>${'x'.repeat(MAX_SYSLOG_MESSAGE_BYTES)}\n`, '<13>next\n'],
    ['a line of digits', `${'1'.repeat(MAX_SYSLOG_MESSAGE_BYTES + 1)}\n`, '<13>next\n'],
  ])('goes on after %s that is too long', (_, long, next) => {
    const pieces = [long.slice(0, 40_000), long.slice(40_000, 66_000), `${long.slice(66_000)}${next}`]
    expect(split(pieces)).toEqual({ messages: ['<13>next'], tooLong: 1, usable: true })
  })

  it('takes a message of the greatest length', () => {
    const longest = `<13>${'x'.repeat(MAX_SYSLOG_MESSAGE_BYTES - 4)}`
    const both = { messages: [longest, longest], tooLong: 0, usable: true }
    expect(split([counted(longest), counted(longest)])).toEqual(both)
    expect(split([`${longest}\n`, `${longest}\n`])).toEqual(both)
  })

  it('is given up at a length that nobody means', () => {
    expect(split(['999999999999 <13>x']).usable).toBe(false)
    expect(split([`${counted('<13>a')}123456789 <13>x`]).usable).toBe(false)
  })

  it('of a hundred megabytes without an end keeps none of them', () => {
    const chunk = Buffer.alloc(65_536, 'x')
    const splitter = new FrameSplitter({ message: () => {}, tooLong: () => {} })
    const before = process.memoryUsage().arrayBuffers
    for (let sent = 0; sent < 1_600; sent++) splitter.push(chunk)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024)
  })
})
