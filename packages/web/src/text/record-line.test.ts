import { describe, expect, it } from 'vitest'
import { lineOf, linesBelow } from './record-line.ts'

const said = (message: string, type: string, words: string) => ({ message, error: { type, message: words, stack: '' } })

describe('the line of a record', () => {
  it('says the error where the message does not', () => {
    const [type, words] = ['TypeError', 'x is not a function']
    expect(lineOf(said('checkout failed', type, words))).toBe('checkout failed · TypeError: x is not a function')
    expect(lineOf(said('TypeError: x is not a function', type, words))).toBe('TypeError: x is not a function')
    expect(lineOf(said('', type, words))).toBe('TypeError: x is not a function')
    expect(lineOf({ message: 'checkout failed', error: null })).toBe('checkout failed')
  })
})

describe('the lines of samples below the title of their analysis', () => {
  const title = 'Timeout: no answer in 3041 ms'
  const timeout = (words: string, message = 'checkout failed') => said(message, 'Timeout', words)

  it('say nothing of the title again', () => {
    const records = [
      timeout('no answer in 3041 ms'),
      timeout('no answer in 3041 ms', 'retry failed'),
      { message: 'ended', error: null },
    ]
    expect(linesBelow(title, records)).toEqual(['checkout failed', 'retry failed', 'ended'])
  })

  it('begin with what differs', () => {
    const records = [
      timeout('no answer in 3041 ms'),
      timeout('no answer in 87 ms'),
      said('checkout failed', 'Refused', 'by cart'),
    ]
    expect(linesBelow(title, records)).toEqual([
      'no answer in 3041 ms · checkout failed',
      'no answer in 87 ms · checkout failed',
      'Refused: by cart · checkout failed',
    ])
    expect(linesBelow('Timeout: no answer in 30', [timeout('no answer in 3041')])).toEqual([
      'no answer in 3041 · checkout failed',
    ])
  })

  it('go on where the title ends, with its line or because it was cut', () => {
    expect(linesBelow(title, [timeout('no answer in 3041 ms\nof cart')])).toEqual(['of cart · checkout failed'])
    expect(linesBelow('Timeout: no answer…', [timeout('no answer in 87 ms')])).toEqual(['in 87 ms · checkout failed'])
  })

  it('are the error where there is no message, and the message where that says it', () => {
    expect(linesBelow(title, [timeout('no answer in 3041 ms', '')])).toEqual([title])
    const records = [timeout('no answer in 87 ms', 'failed: no answer in 87 ms'), timeout('no answer in 9 ms', '')]
    expect(linesBelow(title, records)).toEqual(['failed: no answer in 87 ms', 'Timeout: no answer in 9 ms'])
  })
})
