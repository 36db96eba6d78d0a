import { expect, it } from 'vitest'
import { firstRequests } from './first-requests.ts'

const API = '/api/projects/prj_1'

it.each([
  ['/projects/prj_1', '', `${API}/overview?from=-24h`],
  ['/projects/prj_1/overview', '?environment=production&from=-7d', `${API}/overview?environment=production&from=-7d`],
  ['/projects/prj_1/logs', '', `${API}/logs?from=-1h&limit=200`],
  [
    '/projects/prj_1/logs/',
    '?query=level%3Aerror&environment=a+b&order=oldest&record=log_1',
    `${API}/logs?query=level%3Aerror&environment=a+b&from=-1h&order=oldest&limit=200`,
  ],
  ['/projects/prj_1/analyses/ana_1', '?chart=24h', `${API}/analyses/ana_1`],
  ['/projects/prj_1/deploys/dep_1', '', `${API}/deploys/dep_1`],
  ['/projects/a%2Fb%3E/deploys/%2C%20x', '', '/api/projects/a%2Fb%3E/deploys/%2C%20x'],
])('%s%s first asks who is here, and for what it shows', (pathname, search, shown) => {
  expect(firstRequests(pathname, search)).toEqual(['/api/session', shown])
})

it.each([
  ['/', ''],
  ['/projects/prj_1/analyses', ''],
  ['/projects/prj_1/settings/keys', ''],
  ['/projects/prj_1/nowhere', ''],
  // A query that cannot be read, and a view that is not the stream.
  ['/projects/prj_1/logs', '?query=%28a'],
  ['/projects/prj_1/logs', '?view=patterns'],
])('%s%s first asks only who is here', (pathname, search) => {
  expect(firstRequests(pathname, search)).toEqual(['/api/session'])
})

it.each(['/sign-in', '/projects'])('%s asks for nothing ahead', (pathname) => {
  expect(firstRequests(pathname, '')).toEqual([])
})
