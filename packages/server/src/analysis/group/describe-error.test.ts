import { HOSTILE_TEXTS, ORDINARY_TEXTS, unseenIn } from '@tidemark/wire/testing/stranger-text'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DescribedRecord, describeError } from './describe-error.ts'

const record = (some: Partial<DescribedRecord>): DescribedRecord => ({
  level: 'error',
  message: '',
  service: 'shop',
  logger: 'db',
  error: null,
  ...some,
})
const thrown = (type: string, message: string, stack: string) => record({ error: { type, message, stack } })

/** What strangers' programs print, whole and as it arrives: cut off, minified, with other lines between. */
const TRACES: [name: string, record: DescribedRecord, title: string, where: string][] = [
  [
    'Node',
    thrown(
      'TypeError',
      "Cannot read properties of undefined (reading 'id')",
      "TypeError: Cannot read properties of undefined (reading 'id')\n    at Socket.emit (node:events:517:28)\n    at price (/srv/shop/dist/cart.js:10:5)\n    at run (/srv/shop/node_modules/koa/index.js:5:1)",
    ),
    "TypeError: Cannot read properties of undefined (reading 'id')",
    'price (/srv/shop/dist/cart.js)',
  ],
  [
    'a minified browser bundle',
    thrown('Error', 'boom', 'Error: boom\n    at e (https://a.example/assets/main.3f9a1c2b.js:1:1200)'),
    'Error: boom',
    'e (https://a.example/assets/main.3f9a1c2b.js)',
  ],
  [
    'Python, only in the message, with a line of another program between',
    record({
      message:
        'Traceback (most recent call last):\n  File "/app/a.py", line 1, in run\n    go(1)\nGET /health 200\n  File "/app/b.py", line 9, in go\n    raise ValueError(1)\nValueError: bad id 17',
    }),
    'ValueError: bad id 17',
    'go (/app/b.py)',
  ],
  [
    'Java with a cause, cut off in the middle of a frame',
    thrown(
      'com.acme.AppException',
      'order 1',
      'com.acme.AppException: order 1\n\tat java.base/java.lang.Thread.run(Thread.java:829)\nCaused by: java.io.IOException: reset\n\tat com.acme.Net.send(Net.java:5)\n\tat com.acme.Ne',
    ),
    'com.acme.AppException: order 1',
    'com.acme.Net.send (Net.java)',
  ],
  [
    'Go',
    record({ message: 'panic: nil map\n\ngoroutine 7 [running]:\nmain.(*S).put(0x1)\n\t/a/s.go:3 +0x1' }),
    'panic: nil map',
    'main.(*S).put (/a/s.go)',
  ],
  ['no stack at all', record({ message: 'job 17 failed\nand more' }), 'job 17 failed', ''],
]

describe('an error', () => {
  test.each(TRACES)('of %s says what and where', (_, given, title, where) => {
    expect(describeError(given)).toMatchObject({ title, where })
  })

  test('is called by its type once', () => {
    expect(describeError(thrown('Timeout', 'Timeout: no answer', '')).title).toBe('Timeout: no answer')
    expect(describeError(thrown('Timeout', '', '')).title).toBe('Timeout')
    expect(describeError(thrown('', '', '')).title).toBe('An error without a message')
    expect(describeError(record({ message: ' \n\t\n second line' })).title).toBe('second line')
  })

  test('says how it was grouped', () => {
    expect(describeError(thrown('Timeout', 'x', '')).grouping).toBe('grouped by Timeout and message pattern')
  })

  test('shows no colours, controls or hidden signs in its title', () => {
    const dirty = 'a\u001b[31mred\u001b[0m \u202ebidi\u200b \u001b]8;;http://x\u0007link\u0000\ttab'
    expect(describeError(record({ message: dirty })).title).toBe('ared bidi link tab')
  })

  test.each(HOSTILE_TEXTS)('shows no %s in its title', (_, message) => {
    const { title } = describeError(record({ message }))
    expect(title).toMatch(/^before/)
    expect(unseenIn(title)).toEqual([])
  })

  test.each(ORDINARY_TEXTS)('is called as people write: %s', (message) => {
    expect(describeError(record({ message })).title).toBe(message)
  })

  test('is cut to a title of 200 characters, a message of 4 KB and a stack of 16 KB with its end', () => {
    const stack = `Traceback (most recent call last):\n${'  File "/app/a.py", line 1, in fün\n'.repeat(2_000)}ValueError: last words`
    const { title, message, error } = describeError(
      record({ message: '€'.repeat(9_000), error: { type: 'T', message: '🙂'.repeat(3_000), stack } }),
    )
    expect(title.length).toBeLessThanOrEqual(200)
    expect(title.endsWith('…')).toBe(true)
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096)
    expect(Buffer.byteLength(error?.message ?? '')).toBeLessThanOrEqual(4_096)
    expect(Buffer.byteLength(error?.stack ?? '')).toBeLessThanOrEqual(16_384)
    expect(error?.stack.endsWith('ValueError: last words')).toBe(true)
  })

  test('of any text can be stored', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 600 })
    fc.assert(
      fc.property(text, text, text, (message, type, stack) => {
        const described = describeError(
          record({ message, error: { type, message: stack + message, stack: `${stack}\n` } }),
        )
        for (const one of [described.title, described.type, described.where, described.message, described.grouping]) {
          expect(one).not.toMatch(/\p{Surrogate}/u)
        }
        expect(described.title).not.toMatch(/[\n\r]/)
        expect(described.title.length).toBeLessThanOrEqual(200)
      }),
    )
  })
})
