import { describe, expect, it } from 'vitest'
import { absolute } from './share-link.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')

describe('a link to exactly what is seen', () => {
  it.each([
    ['/projects/p/overview', '2026-11-14T12:00:00.000Z'],
    ['/projects/p/logs', '2026-11-15T11:00:00.000Z'],
    ['/projects/p/analyses', '2026-11-08T12:00:00.000Z'],
    ['/projects/p/deploys', '2026-10-16T12:00:00.000Z'],
  ])('of %s begins where the page begins', (pathname, from) => {
    expect(absolute(pathname, { state: 'new' }, NOW)).toEqual({ state: 'new', from, to: '2026-11-15T12:00:00.000Z' })
  })

  it('of one thing names no range', () => {
    expect(absolute('/projects/p/analyses/an_1', { environment: 'production', start: 'open' }, NOW)).toEqual({
      environment: 'production',
    })
  })
})
