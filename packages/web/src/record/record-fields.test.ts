import type { LogRow } from '@tidemark/wire/reading/row'
import { describe, expect, it } from 'vitest'
import { attributesOf, chipsOf, columnValue, columnWidth } from './record-fields.ts'

const log = (change: Partial<LogRow>) =>
  ({ kind: 'log', message: '', error: null, attributes: {}, ...change }) as LogRow

describe('a line', () => {
  it('shows the attributes that say most', () => {
    const attributes = { build: 'x', 'http.status': 500, note: 'y'.repeat(60), 'user.id': 'u1' }
    expect(chipsOf(log({ attributes }), 3).map(({ field }) => field)).toEqual(['http.status', 'user.id', 'build'])
  })
})

describe('an attribute with a name of ours', () => {
  const row = log({ level: 'error', attributes: { level: 7, 'user.id': 'u1' } })

  it('is named apart from our field, as in a query', () => {
    expect(attributesOf(row).map(({ field }) => field)).toEqual(['@level', 'user.id'])
  })

  it('is a column of its own', () => {
    expect(['level', '@level', 'user.id'].map((column) => columnValue(row, column))).toEqual(['error', '7', 'u1'])
  })
})

describe('a column', () => {
  const rows = ['u1', 'u1234567890', ''].map((user) =>
    log({ attributes: { 'user.id': user, note: 'y'.repeat(90), n: 1 } }),
  )

  it('is as wide as its name and what is in it, within bounds', () => {
    expect(columnWidth(rows, 'user.id')).toBe('u1234567890'.length)
    expect(columnWidth([], 'user.id')).toBe('user.id'.length)
    expect([columnWidth(rows, 'n'), columnWidth(rows, 'note')]).toEqual([6, 28])
  })
})
