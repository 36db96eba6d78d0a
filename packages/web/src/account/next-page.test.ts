import { describe, expect, it } from 'vitest'
import { safeNext, signInSearch } from './next-page.ts'

describe('an address', () => {
  it('to go on to after signing in never leads to another site', () => {
    expect(safeNext('/projects/prj_1/logs?query=a')).toBe('/projects/prj_1/logs?query=a')
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      undefined,
    ]) {
      expect(safeNext(next)).toBe('/')
    }
  })

  it('says when a session was lost, and nothing else says so', () => {
    expect(['yes', 'no', undefined].map((ended) => signInSearch({ ended }))).toEqual([{ ended: 'yes' }, {}, {}])
  })

  it('to go on to is a text, or none', () => {
    expect([signInSearch({ next: '/a', other: 'x' }), signInSearch({ next: '' }), signInSearch({})]).toEqual([
      { next: '/a' },
      {},
      {},
    ])
  })
})
