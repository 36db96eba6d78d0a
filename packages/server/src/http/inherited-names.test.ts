/** Every object inherits names that nobody gave it. A stranger's text that happens to be one of them is text like any other. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../model/caller.ts'
import { silentServer } from '../testing/http-server.ts'
import { INHERITED_NAMES } from '../testing/inherited-names.ts'
import { fakeReading } from '../testing/reading.ts'
import { readCaller } from '../testing/reading-rows.ts'
import { apiRoutes } from './api-routes.ts'
import { parseBody } from './people/body.ts'

function open() {
  const publicUrl = 'http://localhost:4700'
  const { routes } = silentServer(publicUrl)
  apiRoutes(routes, { reading: fakeReading(), authenticate: async (): Promise<Caller> => readCaller() })
  routes.put('/body', async ({ body }) => parseBody(z.object({ name: z.string().optional() }), body))
  return routes
}

describe.each(INHERITED_NAMES)('%s', (name) => {
  it.each(['/api/project', '/api/logs', '/api/logs/count', '/api/logs/fields', '/api/analyses', '/api/deploys'])(
    'is an unknown parameter at %s',
    async (path) => {
      for (const query of [`${name}=1`, `${name}`, `${name}=1&${name}=2`, `limit=5&${name}=1`]) {
        const answer = await open().inject(`${path}?${query}`)
        expect(answer.statusCode, query).toBe(400)
        expect(answer.json().error.fields.map((field: { path: string }) => field.path)).toContain(name)
      }
    },
  )

  it.each([
    ['/api/logs', 'order'],
    ['/api/logs/export', 'format'],
    ['/api/analyses', 'sort'],
    ['/api/deploys', 'status'],
    ['/api/logs/log_1/context', 'by'],
    ['/api/logs', 'limit'],
  ])('is a wrong value at %s of %s', async (path, parameter) => {
    const answer = await open().inject(`${path}?${parameter}=${name}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.fields).toMatchObject([{ path: parameter }])
  })

  it('is nothing to be found as an id or a path', async () => {
    for (const path of [`/api/${name}`, `/${name}`, `/api/logs/${name}`, `/assets/${name}`]) {
      expect((await open().inject(path)).statusCode, path).toBe(404)
    }
    expect((await open().inject(`/api/analyses/${name}`)).statusCode).toBe(404)
  })

  it('is an unknown field of a body', async () => {
    const payload = `{"name":"a","${name}":{"isAdmin":true}}`
    const headers = { 'content-type': 'application/json' }
    const answer = await open().inject({ method: 'PUT', url: '/body', headers, payload })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.fields).toMatchObject([{ path: name }])
  })
})
