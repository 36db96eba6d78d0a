import { describe, expect, it } from 'vitest'
import type { ChangedFile, Hunk } from '../../model/repository.ts'
import { type CommitChange, findSuspects, type Place } from './suspects.ts'

const hunk = (newFrom: number, newLines = 1, oldLines = 1, section = ''): Hunk => ({
  oldFrom: newFrom,
  oldLines,
  newFrom,
  newLines,
  section,
})
const file = (path: string, ...hunks: Hunk[]): ChangedFile => ({ path, previousPath: null, change: 'modified', hunks })

let count = 0
function change(subject: string, files: ChangedFile[], more: Partial<CommitChange> = {}, parents = 1): CommitChange {
  count += 1
  const sha = count.toString(16).padStart(40, '0')
  const commit = {
    sha,
    parents: new Array(parents).fill('0'),
    authorName: 'Ada',
    authoredAtUs: 0,
    committedAtUs: 0,
    subject,
  }
  return { commit, deployId: 'dep_1', files, dependencies: [], ...more }
}

const THROWN: Place = { path: 'src/cart.ts', line: 42, function: 'Cart.total' }
const CALLER: Place = { path: 'src/order.ts', line: 7, function: 'place' }

/** Newest first, as a history is. */
function suspects(
  changes: CommitChange[],
  { places = [THROWN, CALLER], packages = [] as string[], service = 'checkout' } = {},
) {
  return findSuspects({ changes, places, packages, throwing: [], service }).map(({ commit, nearness, reason }) => [
    commit.subject,
    nearness,
    reason,
  ])
}

describe('suspect commits', () => {
  it('are ranked by how near they are: the line, near it, the function, a dependency, the file, the service', () => {
    const found = suspects(
      [
        change('service', [file('services/checkout/other.ts', hunk(1))]),
        change('file', [file('src/cart.ts', hunk(400))]),
        change('dependency', [file('package.json')], {
          dependencies: [{ name: 'pg', from: '8.1.0', to: '8.2.0', file: 'package.json' }],
        }),
        change('function', [file('src/cart.ts', hunk(60, 1, 1, '  total(items: Item[]): number {'))]),
        change('near', [file('src/cart.ts', hunk(44))]),
        change('line', [file('src/cart.ts', hunk(40, 3))]),
        change('nothing', [file('docs/readme.md', hunk(1))]),
      ],
      { packages: ['pg'] },
    )
    expect(found).toEqual([
      ['line', 'line', 'changes line 42 of src/cart.ts, where the error is thrown'],
      ['near', 'near', 'changes src/cart.ts 2 lines from line 42, where the error is thrown'],
      ['function', 'function', 'changes total in src/cart.ts, where the error is thrown'],
      ['dependency', 'dependency', 'changes pg from 8.1.0 to 8.2.0 (package.json), whose code is in the stack'],
      ['file', 'file', 'changes src/cart.ts, the file of the place where the error is thrown'],
      [
        'service',
        'service',
        'changes services/checkout/other.ts of the service checkout, but nothing that stands in the stack',
      ],
    ])
  })

  it('are found though later commits moved the line', () => {
    const moved = change('ten lines above', [file('src/cart.ts', hunk(1, 10, 0))])
    const guilty = change('guilty', [file('src/cart.ts', hunk(32))])
    const [first] = suspects([moved, guilty])
    expect(first).toEqual(['guilty', 'line', 'changes line 32 of src/cart.ts, where the error is thrown'])
  })

  it('are found though the file was renamed since, and the removal of a line counts as a change of it', () => {
    const renamed = change('rename', [
      { path: 'src/cart.ts', previousPath: 'src/basket.ts', change: 'renamed', hunks: [] },
    ])
    const guilty = change('drop the check', [file('src/basket.ts', hunk(41, 0, 3))])
    expect(suspects([renamed, guilty])).toEqual([
      ['drop the check', 'line', 'changes line 42 of src/basket.ts, where the error is thrown'],
      ['rename', 'file', 'moves src/basket.ts to src/cart.ts, where the error is thrown'],
    ])
  })

  it('do not include one that wrote the line anew before another did', () => {
    const newer = change('newer', [file('src/cart.ts', hunk(42))])
    const older = change('older', [file('src/cart.ts', hunk(42))])
    expect(suspects([newer, older]).map(([subject, nearness]) => [subject, nearness])).toEqual([
      ['newer', 'line'],
      ['older', 'file'],
    ])
  })

  it('are nearer the throw before those nearer its callers', () => {
    const caller = change('caller', [file('src/order.ts', hunk(7))])
    const thrown = change('thrown', [file('src/cart.ts', hunk(42))])
    expect(suspects([caller, thrown]).map(([subject]) => subject)).toEqual(['thrown', 'caller'])
    expect(suspects([caller])).toEqual([['caller', 'line', 'changes line 7 of src/order.ts, frame 2 of the stack']])
  })

  it('are the commits of a merge, never the merge', () => {
    const merge = change('merge', [file('src/cart.ts', hunk(42))], {}, 2)
    const inside = change('inside', [file('src/cart.ts', hunk(42))])
    expect(suspects([merge, inside]).map(([subject]) => subject)).toEqual(['inside'])
  })

  it('are none when nothing near was touched; a wide clean-up counts less than a small change of the same file', () => {
    expect(suspects([change('elsewhere', [file('services/search/a.ts', hunk(1))])])).toEqual([])
    const wide = change('format everything', [
      file('src/cart.ts', hunk(90)),
      ...Array.from({ length: 80 }, (_, at) => file(`src/${at}.ts`)),
    ])
    const small = change('small', [file('src/cart.ts', hunk(200))])
    expect(suspects([wide, small]).map(([subject]) => subject)).toEqual(['small', 'format everything'])
  })

  it('without lines go by the function and the file', () => {
    const places = [{ ...THROWN, line: null }]
    const inside = change('inside', [file('src/cart.ts', hunk(5, 1, 1, 'export function total(cart) {'))])
    const other = change('other', [file('src/cart.ts', hunk(42, 1, 1, 'function subtotal(cart) {'))])
    expect(suspects([other, inside], { places }).map(([subject, nearness]) => [subject, nearness])).toEqual([
      ['inside', 'function'],
      ['other', 'file'],
    ])
  })
})
