import { MAX_CHOSEN } from '@tidemark/wire/limits'
import { describe, expect, it } from 'vitest'
import { allToggled, NOTHING, onlyOf, type Selection, toggled } from './selection.ts'

const ROWS = ['a', 'b', 'c', 'd', 'e']
const one = (selection: Selection, id: string) => toggled(selection, ROWS, { id, isRange: false })
const range = (selection: Selection, id: string) => toggled(selection, ROWS, { id, isRange: true })
const chosen = ({ ids }: Selection) => ROWS.filter((id) => ids.has(id)).join('')

describe('a selection', () => {
  it('takes a row, and leaves it the second time', () => {
    expect(chosen(one(one(NOTHING, 'b'), 'd'))).toBe('bd')
    expect(chosen(one(one(one(NOTHING, 'b'), 'd'), 'b'))).toBe('d')
  })

  it('takes and leaves all rows between two, in either direction', () => {
    expect(chosen(range(one(NOTHING, 'b'), 'd'))).toBe('bcd')
    expect(chosen(range(one(NOTHING, 'd'), 'b'))).toBe('bcd')
    const all = range(one(NOTHING, 'a'), 'e')
    expect(chosen(range(one(all, 'b'), 'd'))).toBe('ae')
  })

  it('takes one row where no range has begun, or its beginning is gone', () => {
    expect(chosen(range(NOTHING, 'c'))).toBe('c')
    expect(chosen(range({ ids: new Set(), last: 'gone' }, 'c'))).toBe('c')
  })

  it('takes all, and none where all are taken', () => {
    expect(chosen(allToggled(one(NOTHING, 'b'), ROWS))).toBe('abcde')
    expect(chosen(allToggled(allToggled(NOTHING, ROWS), ROWS))).toBe('')
  })

  it('forgets rows that are no longer there', () => {
    const before = range(one(NOTHING, 'a'), 'c')
    expect(chosen(onlyOf(before, ['b', 'd']))).toBe('b')
    expect(onlyOf(before, ['b', 'd']).last).toBeNull()
    expect(onlyOf(before, ROWS)).toBe(before)
  })

  it('never takes more than can be chosen', () => {
    const many = Array.from({ length: MAX_CHOSEN + 20 }, (_, at) => `row ${at}`)
    expect(allToggled(NOTHING, many).ids.size).toBe(MAX_CHOSEN)
    const first = toggled(NOTHING, many, { id: 'row 0', isRange: false })
    expect(toggled(first, many, { id: many.at(-1)!, isRange: true }).ids.size).toBe(MAX_CHOSEN)
  })
})
