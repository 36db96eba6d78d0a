import { describe, expect, it } from 'vitest'
import { ProgressBar, progressText } from './progress-bar.ts'

const progress = { name: 'a.log', records: 1_500, share: 0.25 }

describe('progress', () => {
  it('tells the share, the rate and the time left', () => {
    expect(progressText(progress, 10, true)).toBe(
      'a.log  [######------------------]  25%  1,500 records  150/s  0:30 left',
    )
    expect(progressText({ name: '-', records: 1_500 }, 10, true)).toBe('-  1,500 records  150/s')
  })

  it.each([
    [true, 200],
    [false, 5_000],
  ])('on a terminal (%s) is shown every %i ms', (isTTY, everyMs) => {
    let nowMs = 0
    const written: string[] = []
    const bar = new ProgressBar({ isTTY, columns: 40, write: (text: string) => written.push(text) }, () => nowMs)
    for (const at of [1, everyMs - 1, everyMs, everyMs + 1, 2 * everyMs]) {
      nowMs = at
      bar.show(progress)
    }
    expect(written).toHaveLength(2)
    expect(written[0]?.startsWith('\r')).toBe(isTTY)
    expect(written[0]?.endsWith('\n')).toBe(!isTTY)
    if (isTTY) expect(written[0]?.replace(/\r|\x1b\[K/g, '').length).toBeLessThan(40)
  })
})
