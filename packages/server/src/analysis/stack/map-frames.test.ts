import { describe, expect, it } from 'vitest'
import { isStorable } from '../../model/storable-text.ts'
import { framedText, mapFrames, type SourcePlace } from './map-frames.ts'
import { findStack } from './parse-stack.ts'

const place = (source: string, line: number, name = '', isExact = true): SourcePlace => ({
  source,
  line,
  column: 1,
  name,
  isExact,
})

/** By the column of the frame. */
function mapped(text: string, places: Record<number, SourcePlace>, maxFrames = 64): string | null {
  const framed = framedText(text, maxFrames)
  return framed && mapFrames(framed, ({ column }) => places[column] ?? null)
}

const STACK = `TypeError: x is undefined
    at t (https://a.example/assets/main.js:1:100)
    at e (https://a.example/assets/main.js:1:200)
    at Object.submit (https://a.example/assets/main.js:1:300)`

describe('a stack by its source positions', () => {
  it('names a function by what its caller calls, and by its own name where a minifier did not choose it', () => {
    const text = mapped(STACK, {
      100: place('src/price.ts', 3, 'Error'),
      200: place('src/cart.ts', 8, 'price'),
      300: place('src/form.ts', 21, 'total'),
    })
    expect(text).toBe(`TypeError: x is undefined
    at price (src/price.ts:3:1)
    at total (src/cart.ts:8:1)
    at submit (src/form.ts:21:1)`)
    expect(findStack(text ?? '')?.exceptions[0]).toMatchObject({
      type: 'TypeError',
      frames: [{ function: 'price', file: 'src/price.ts', line: 3, inApp: true }, { function: 'total' }, {}],
    })
  })

  it('takes a name only from exactly the position of the call, and no minified one instead', () => {
    const text = mapped(STACK, { 100: place('src/price.ts', 3), 200: place('src/cart.ts', 8, 'other', false) })
    expect(text?.split('\n').slice(1, 3)).toEqual(['    at src/price.ts:3:1', '    at src/cart.ts:8:1'])
  })

  it('keeps what no map knows as it was sent, and is none when no map knows any of it', () => {
    expect(mapped(STACK, { 200: place('src/cart.ts', 8) })?.split('\n')[1]).toBe(STACK.split('\n')[1])
    expect(mapped(STACK, {})).toBeNull()
  })

  it('of Firefox and Safari reads like one of Chrome', () => {
    const text = mapped('Error: boom\nt@https://a.example/a.js:1:100\nsend@https://a.example/a.js:1:200', {
      100: place('src/pay.ts', 3),
      200: place('src/form.ts', 4, 'pay'),
    })
    expect(text).toBe('Error: boom\n    at pay (src/pay.ts:3:1)\n    at send (src/form.ts:4:1)')
  })

  it('is read up to a number of frames', () => {
    const long = `Error: deep\n${'    at f (https://a.example/a.js:1:100)\n'.repeat(5_000)}`
    const text = mapped(long, { 100: place('src/a.ts', 1) }, 64) ?? ''
    expect(text.split('\n').filter((line) => line.includes('src/a.ts'))).toHaveLength(64)
    expect(text.split('\n').filter((line) => line.includes('a.example')).length).toBeGreaterThan(1_000)
  })

  it.each([
    ['another language', 'Traceback (most recent call last):\n  File "/app/a.py", line 1, in run\nValueError: x'],
    ['no stack', 'one line'],
    ['frames without a place', 'Error: x\n    at f (<anonymous>)'],
  ])('is none of %s', (_, text) => expect(mapped(text, { 1: place('a.ts', 1) })).toBeNull())

  it('takes columns of any size, and lines that never end', () => {
    const text = `Error: x\n    at f (a.js:1:${'9'.repeat(400)})\n    at ${'(a'.repeat(20_000)}\n    at g (a.js:1:100)`
    expect(mapped(text, { 100: place('src/a.ts', 1) })).toContain('src/a.ts:1:1')
  })

  it('can be stored, wherever a long line or a long text is cut', () => {
    for (const before of [998, 999, 1_000]) {
      const text = mapped(`Error: ${'x'.repeat(before - 7)}\u{1f600}\n    at t (main.js:1:100)`, {
        100: place('src/a.ts', 1),
      })
      expect(text).toContain('src/a.ts')
      expect(isStorable(text ?? '')).toBe(true)
    }
    const long = mapped(
      `Error: x\n    at t (main.js:1:100)\n${`${'y'.repeat(998)}\n`.repeat(65)}${'z'.repeat(570)}\u{1f600}`,
      {
        100: place('src/a.ts', 1),
      },
    )
    expect(isStorable(long ?? '')).toBe(true)
    expect(isStorable(mapped('Error: a\0b\n    at t (main.js:1:100)', { 100: place('src/a.ts\ud83d', 1) }) ?? '')).toBe(
      true,
    )
  })
})
