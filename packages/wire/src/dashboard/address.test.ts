import { describe, expect, it } from 'vitest'
import {
  analysesPage,
  analysisPage,
  defaultFromOf,
  deployPage,
  deploysPage,
  logsPage,
  overviewPage,
  projectPath,
  readAddress,
} from './address.ts'

describe('an address of the dashboard', () => {
  it.each([
    ['/projects/prj_1', '', { name: 'overview', search: {} }],
    ['/projects/prj_1/overview', '?from=-1h', { name: 'overview', search: { from: '-1h' } }],
    [
      '/projects/prj_1/logs/',
      '?query=a%20b&view=patterns',
      { name: 'logs', search: { query: 'a b', view: 'patterns' } },
    ],
    ['/projects/prj_1/analyses', '?state=new&to=', { name: 'analyses', search: { state: 'new' } }],
    ['/projects/prj_1/analyses/ana_1', '?from=-1h', { name: 'analysis', id: 'ana_1' }],
    ['/projects/prj_1/deploys', '?status=failed', { name: 'deploys', search: { status: 'failed' } }],
    ['/projects/prj_1/deploys/dep_1', '', { name: 'deploy', id: 'dep_1' }],
    ['/projects/prj_1/settings/keys', '', { name: 'settings', section: 'keys' }],
    ['/projects/prj_1/nothing', '', null],
    ['/projects/prj_1/logs/more', '', null],
    ['/projects/prj_1/deploys/dep_1/more', '', null],
  ])('%s%s is read', (path, search, page) => {
    expect(readAddress(path, search)).toEqual({ projectId: 'prj_1', page })
  })

  it.each(['/', '/projects', '/projects/', '/account', '/v1/logs', '/api/projects/prj_1'])('%s is none', (path) => {
    expect(readAddress(path, '')).toBe(null)
  })

  it('that is built is read again, whatever the ids are', () => {
    for (const id of ['ana_1', 'a/b', 'a b?c#d', '%', 'é']) {
      expect(readAddress(projectPath(id, analysisPage(id)), '')).toEqual({
        projectId: id,
        page: { name: 'analysis', id },
      })
      expect(readAddress(projectPath(id, deployPage(id)), '')?.page).toEqual({ name: 'deploy', id })
    }
  })

  it('that is built is read again with its search, and holds nothing that the page does not know', () => {
    const shared = { environment: 'a b&c', from: '-1h', to: '' }
    const read = (page: string) => {
      const { pathname, search } = new URL(projectPath('prj_1', page), 'https://logs.example')
      return readAddress(pathname, search)?.page
    }
    const [environment, from] = [shared.environment, shared.from]
    const asked = {
      ...shared,
      query: 'a OR "b c"',
      status: 'failed',
      state: 'new',
      view: 'patterns',
      limit: 5,
    } as const
    expect(read(overviewPage(asked))).toEqual({ name: 'overview', search: { environment, from } })
    expect(read(logsPage(asked))).toEqual({
      name: 'logs',
      search: { environment, from, query: 'a OR "b c"', view: 'patterns' },
    })
    expect(read(analysesPage(asked))).toEqual({
      name: 'analyses',
      search: { environment, from, query: 'a OR "b c"', state: 'new' },
    })
    expect(read(deploysPage(asked))).toEqual({ name: 'deploys', search: { environment, from, status: 'failed' } })
  })

  it('with a broken encoding is read as it stands', () => {
    expect(readAddress('/projects/%E0%A4/logs', '')?.projectId).toBe('%E0%A4')
  })

  it('begins somewhere unless it is about one thing', () => {
    expect(
      ['', '/logs', '/analyses', '/deploys', '/deploys/dep_1', '/settings'].map((page) =>
        defaultFromOf(`/projects/p${page}`),
      ),
    ).toEqual(['-24h', '-1h', '-7d', '-30d', undefined, undefined])
  })
})
