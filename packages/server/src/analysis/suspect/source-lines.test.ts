import { describe, expect, it } from 'vitest'
import { lineFollower, markChanges } from './source-lines.ts'

const hunk = (oldFrom: number, oldLines: number, newFrom: number, newLines: number) => ({
  ...{ oldFrom, oldLines, newFrom, newLines },
  section: '',
})
/** `+3 total` for an added line 3, `-  total` for a removed one, `4 total` for one that nobody touched. */
const drawn = (lines: ReturnType<typeof markChanges>) =>
  lines.map(({ number, text, change }) => {
    const sign = change === 'added' ? '+' : change === 'removed' ? '-' : ''
    return `${sign}${number ?? ' '} ${text}`
  })

const REPLACED = `diff --git a/cart.ts b/cart.ts
--- a/cart.ts
+++ b/cart.ts
@@ -1,3 +1,4 @@
 function total() {
-  return sum
+  const all = sum
+  return round(all)
 }
`

describe('lines of a file', () => {
  it('are marked where a commit added or removed them', () => {
    const texts = ['function total() {', '  const all = sum', '  return round(all)', '}']
    const marked = markChanges(texts, 1, [{ sha: 'aaa', patch: REPLACED, since: [] }])
    expect(drawn(marked)).toEqual([
      '1 function total() {',
      '-    return sum',
      '+2   const all = sum',
      '+3   return round(all)',
      '4 }',
    ])
    expect(marked.map(({ sha }) => sha)).toEqual([null, 'aaa', 'aaa', 'aaa', null])
  })

  it('are followed forward through what changed after the commit', () => {
    const texts = ['function total() {', '  const all = sum', '  return floor(all)', '}']
    // Two lines came above, and the last of the commit's own lines was rewritten since.
    const since = [hunk(0, 0, 1, 2), hunk(3, 1, 5, 1)]
    const marked = markChanges(texts, 3, [{ sha: 'aaa', patch: REPLACED, since }])
    expect(drawn(marked)).toEqual([
      '3 function total() {',
      '-    return sum',
      '+4   const all = sum',
      '5   return floor(all)',
      '6 }',
    ])
  })

  it('that were only removed stand where they were', () => {
    const patch = '@@ -1,4 +1,3 @@\n one\n-  if (!cart) return 0\n two\n three\n'
    const marked = markChanges(['one', 'two', 'three'], 1, [{ sha: 'aaa', patch, since: [] }])
    expect(drawn(marked)).toEqual(['1 one', '-    if (!cart) return 0', '2 two', '3 three'])
    const bare = '@@ -2,1 +1,0 @@\n-  if (!cart) return 0\n'
    expect(drawn(markChanges(['one', 'two'], 1, [{ sha: 'aaa', patch: bare, since: [] }]))).toEqual([
      '1 one',
      '-    if (!cart) return 0',
      '2 two',
    ])
  })

  it('cannot pose as the head of a hunk', () => {
    const patch = '@@ -1,1 +1,3 @@\n one\n+@@ -1,1 +9,9 @@\n+diff --git a/x b/x\n'
    const marked = markChanges(['one', '@@ -1,1 +9,9 @@', 'diff --git a/x b/x', 'four'], 1, [
      { sha: 'aaa', patch, since: [] },
    ])
    expect(marked.map(({ change }) => change)).toEqual(['none', 'added', 'added', 'none'])
  })

  it('are bounded where a commit removed very many', () => {
    const patch = `@@ -1,5001 +1,1 @@\n one\n${'-gone\n'.repeat(5_000)}`
    expect(markChanges(['one'], 1, [{ sha: 'aaa', patch, since: [] }])).toHaveLength(9)
  })
})

describe('a line after a change', () => {
  it.each([
    [1, [], 1],
    [5, [hunk(2, 1, 2, 3)], 7],
    [2, [hunk(2, 1, 2, 3)], null],
    [1, [hunk(2, 1, 2, 3)], 1],
    [5, [hunk(4, 0, 5, 2)], 7],
    [4, [hunk(4, 0, 5, 2)], 4],
    [9, [hunk(2, 3, 1, 0), hunk(7, 1, 4, 1)], 6],
  ] as const)('%i with %j is %s', (line, hunks, expected) => expect(lineFollower(hunks)(line)).toBe(expected))

  it('are followed in one walk, each as if it were the only one', () => {
    const hunks = [hunk(4, 0, 5, 2), hunk(7, 2, 10, 1), hunk(20, 3, 22, 0)]
    const lines = Array.from({ length: 30 }, (_, at) => at + 1)
    const follow = lineFollower(hunks)
    expect(lines.map(follow)).toEqual(lines.map((line) => lineFollower(hunks)(line)))
  })
})
