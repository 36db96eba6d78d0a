import { describe, expect, it } from 'vitest'
import { titleOf } from './page-title.ts'

describe('the title of a tab', () => {
  it.each([
    ['/projects/prj_1/logs', undefined, 'Logs · Shop · Tidemark'],
    ['/projects/prj_1/analyses/ana_1', 'TypeError: a is null', 'TypeError: a is null · Shop · Tidemark'],
    ['/projects/prj_1/analyses/ana_1', undefined, 'Analyses · Shop · Tidemark'],
    ['/projects/prj_1/settings/keys', undefined, 'API & MCP keys · Shop · Tidemark'],
    ['/projects/prj_1/nowhere', undefined, 'Shop · Tidemark'],
  ])('of %s says the page first', (pathname, shown, title) => {
    expect(titleOf(pathname, shown, 'Shop')).toBe(title)
  })

  it('is there before the project is known', () => {
    expect(titleOf('/projects/prj_1/deploys', undefined, undefined)).toBe('Deploys · Tidemark')
  })
})
