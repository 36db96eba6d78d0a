import { describe, expect, it } from 'vitest'
import { ProgressBar, progressText } from './progress-bar.ts'

const totals = { accepted: 1_500, rejected: 0, resumedRecords: 0 }
const source = { name: 'a.log', totalBytes: 400, readBytes: () => 100, bytes: (async function* () {})() }

describe('progress', () => {
  it('tells the share, the rate and the time left', () => {
    expect(progressText(totals, source, 10, true)).toBe(
      'a.log  [######------------------]  25%  1,500 records  150/s  0:30 left',
    )
    expect(progressText(totals, { ...source, name: '-', totalBytes: undefined }, 10, true)).toBe(
      '-  1,500 records  150/s',
    )
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
      bar.show(totals, source)
    }
    expect(written).toHaveLength(2)
    expect(written[0]?.startsWith('\r')).toBe(isTTY)
    expect(written[0]?.endsWith('\n')).toBe(!isTTY)
    if (isTTY) expect(written[0]?.replace(/\r|\x1b\[K/g, '').length).toBeLessThan(40)
  })
})
