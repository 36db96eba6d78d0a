import { request } from 'node:http'
import type { LogRow } from '@tidemark/wire/reading/row'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { silentServer } from '../../testing/http-server.ts'
import { RECHECK_AFTER_MS } from '../../verbs/access.ts'
import type { Reading } from '../../verbs/open-reading.ts'
import { CallLimits, KEY_LIMITS } from '../../verbs/reading/call-limits.ts'
import { type ApiParts, apiRoutes } from '../api-routes.ts'
import type { HttpServer } from '../server.ts'

const KEY = { authorization: 'Bearer tidemark_read_x' }
const nameless = { level: '', environment: '', service: '', host: '', logger: '', release: '', traceId: '', spanId: '' }
const hello = { kind: 'log', id: 'log_1', timestamp: 't', message: 'hello', attributes: {}, error: null }
const row = { ...hello, ...nameless } as LogRow
const servers: HttpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

/** A door over verbs that say what they were asked. */
function open(some: Partial<Reading> = {}, time: Pick<ApiParts, 'now' | 'recheckAfterMs'> = {}) {
  const asked: unknown[] = []
  const note = async (_: Caller, input: unknown) => {
    asked.push(input)
    return { rows: [] } as never
  }
  const reading = {
    listLogs: note,
    countLogs: note,
    compareWindows: note,
    listLogPatterns: note,
    listFields: note,
    getLogContext: note,
    listDeploys: note,
    getDeploy: note,
    whatChanged: note,
    getOverview: note,
    describeProject: async () => ({ id: 'prj_a' }) as never,
    exportLogs: async () => exported(async function* () {}),
    tailLogs: async function* () {},
    ...some,
  } as Reading
  const state = { isRevoked: false }
  const stopping = new AbortController()
  const limits = new CallLimits(KEY_LIMITS)
  const server = silentServer()
  servers.push(server)
  apiRoutes(server.routes, {
    ...time,
    reading,
    stopping: stopping.signal,
    // The clock stands still, so that no call is given back while a test makes its own.
    limits: { enter: (caller, calls) => limits.enter(caller, calls, 0) },
    authenticate: async (authorization) => {
      if (authorization !== KEY.authorization || state.isRevoked) throw new AppError('unauthorized', 'No such key.')
      return { kind: 'key', keyId: 'key_a', keyKind: 'read', project: {} } as Caller
    },
  })
  const get = (url: string, headers: Record<string, string> = KEY) => server.routes.inject({ url, headers })
  return { get, asked, state, stopping, server }
}

const exported = (pages: () => AsyncIterable<LogRow[]>) => ({ records: 3, leftOut: 2, pages: pages() })

async function* failing(error: AppError): AsyncGenerator<never> {
  yield await Promise.reject(error)
}

describe('the address of a question', () => {
  it('becomes the input of the verb', async () => {
    const { get, asked } = open()
    await get('/api/logs?query=a%20b&limit=7&order=oldest&from=-1h')
    await get('/api/logs/count?groupBy=service&groupBy=level&bucket=60')
    await get('/api/logs/count?groupBy=service,level')
    await get('/api/logs/log_1/context?before=0&by=trace')
    await get('/api/logs/compare?from=-1h&baseFrom=-25h&baseTo=-24h&query=a')
    await get('/api/logs/patterns?deployId=dep_1&limit=9&level=%3E%3Dwarn')
    await get('/api/logs/patterns?compareFrom=-2h&compareTo=-1h')
    await get('/api/changes?at=-2h&lookback=6h&limit=5')
    await get('/api/overview?environment=production&from=-1h')
    await get('/api/deploys?status=failed')
    await get('/api/deploys/latest?environment=production')
    expect(asked).toEqual([
      { query: 'a b', limit: 7, order: 'oldest', from: '-1h' },
      { groupBy: ['service', 'level'], bucket: '60' },
      { groupBy: ['service', 'level'] },
      { id: 'log_1', before: 0, by: 'trace' },
      { from: '-1h', baseFrom: '-25h', baseTo: '-24h', query: 'a' },
      { deployId: 'dep_1', limit: 9, level: '>=warn' },
      { compareFrom: '-2h', compareTo: '-1h' },
      { at: '-2h', lookback: '6h', limit: 5 },
      { environment: 'production', from: '-1h' },
      { status: 'failed' },
      { id: 'latest', environment: 'production' },
    ])
  })

  it('is refused with every fault by name', async () => {
    const { get, asked } = open()
    const answer = await get('/api/logs?limit=0&order=sideways&querry=x&from=-1h&from=-2h&environment=a%00b')
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.fields).toEqual([
      {
        path: 'querry',
        message:
          'is not a parameter here: use environment, from, to, query, service, level, traceId, limit, cursor, order, analysisId, deployId',
      },
      { path: 'from', message: 'is given more than once: give it once' },
      { path: 'environment', message: 'holds a NUL or half of a character pair (a lone surrogate): remove it' },
      { path: 'limit', message: 'must be a whole number from 1 to 500' },
      { path: 'order', message: 'must be one of newest, oldest' },
    ])
    expect((await get('/api/logs/log_1/context?id=log_2')).json().error.fields[0].path).toBe('id')
    expect((await get('/api/project?x=1')).statusCode).toBe(400)
    const many = Array.from({ length: 900 }, (_, index) => `a${index}=1`).join('&')
    expect((await get(`/api/logs?${many}`)).json().error.fields).toHaveLength(20)
    expect((await get('/api/logs?limit=1e2')).statusCode).toBe(400)
    expect((await get('/api/logs/count?groupBy=a,b,c,d')).statusCode).toBe(400)
    expect((await get('/api/logs/export?format=xml')).statusCode).toBe(400)
    expect(asked).toEqual([])
  })

  it('is answered to nobody without a valid key in the header', async () => {
    const { get, asked } = open()
    for (const url of ['/api/project', '/api/logs', '/api/logs/export', '/api/logs/tail', '/api/logs?limit=0']) {
      for (const headers of [{}, { authorization: 'Bearer x' }, { 'x-api-key': 'tidemark_read_x' }]) {
        const answer = await get(url, headers)
        expect(answer.statusCode, url).toBe(401)
        expect(answer.headers['www-authenticate']).toBe('Bearer realm="tidemark", error="invalid_token"')
        expect(answer.headers['cache-control']).toBe('no-store')
      }
    }
    expect(asked).toEqual([])
  })

  it('takes GET only', async () => {
    const { server } = open()
    for (const method of ['HEAD', 'POST', 'DELETE'] as const) {
      const answer = await server.routes.inject({ method, url: '/api/logs/tail', headers: KEY })
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET'])
    }
  })
})

describe('a read key', () => {
  it('may call 600 times a minute', async () => {
    const { get } = open()
    for (let calls = 0; calls < 600; calls++) expect((await get('/api/project')).statusCode).toBe(200)
    const answer = await get('/api/project')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '1'])
    expect((await get('/api/project', { authorization: 'Bearer x' })).statusCode).toBe(401)
  })

  it('may make 8 calls at once, and another when one has ended', async () => {
    const waiting: (() => void)[] = []
    const { get } = open({
      listLogs: () => new Promise((resolve) => waiting.push(() => resolve({ rows: [] } as never))),
    })
    const calls = Array.from({ length: 8 }, () => get('/api/logs').then((answer) => answer.statusCode))
    await expect.poll(() => waiting.length).toBe(8)
    const refused = await get('/api/logs')
    expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limited'])
    waiting.pop()?.()
    await expect.poll(async () => (await get('/api/project')).statusCode).toBe(200)
    for (const end of waiting) end()
    expect(await Promise.all(calls)).toEqual(Array(8).fill(200))
  })

  it('that is revoked during a long call gets nothing of its answer', async () => {
    let nowMs = 0
    const listLogs = async () => {
      state.isRevoked = true
      nowMs += RECHECK_AFTER_MS
      return { rows: ['a secret'] } as never
    }
    const { get, state } = open({ listLogs }, { now: () => nowMs })
    const answer = await get('/api/logs')
    expect(answer.statusCode).toBe(401)
    expect(answer.body).not.toContain('a secret')
    expect(RECHECK_AFTER_MS).toBeLessThanOrEqual(1_000)
  })
})

describe('an export', () => {
  const pages = async function* () {
    yield [row, { ...row, id: 'log_2', message: '=HYPERLINK("x")' }]
    yield [{ ...row, id: 'log_3', message: 'two\nlines, "quoted"', attributes: { a: 1 } }]
  }

  it('is one JSON object a line, to be saved', async () => {
    const answer = await open({ exportLogs: async () => exported(pages) }).get('/api/logs/export?query=x')
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="tidemark-logs-\d{8}T\d{6}Z\.ndjson"$/)
    expect(answer.headers).toMatchObject({ 'x-tidemark-records': '3', 'x-tidemark-left-out': '2' })
    const lines = answer.body.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['log_1', 'log_2', 'log_3'])
  })

  it('is CSV in which no cell is a formula', async () => {
    const answer = await open({ exportLogs: async () => exported(pages) }).get('/api/logs/export?format=csv')
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(answer.body).toBe(
      [
        'timestamp,level,environment,service,host,logger,release,message,errorType,errorMessage,errorStack,traceId,spanId,attributes,id',
        't,,,,,,,hello,,,,,,{},log_1',
        't,,,,,,,"\'=HYPERLINK(""x"")",,,,,,{},log_2',
        't,,,,,,,"two\nlines, ""quoted""",,,,,,"{""a"":1}",log_3',
        '',
      ].join('\r\n'),
    )
    for (const start of ['=', '+', '-', '@', '\t', '\0', '\r', ' =', '\u00a0=', '\ufeff=']) {
      const one = async function* () {
        yield [{ ...row, message: `${start}1` }]
      }
      const { body } = await open({ exportLogs: async () => exported(one) }).get('/api/logs/export?format=csv')
      expect(body, start).toMatch(/,"?'/)
    }
    const split = async function* () {
      yield [{ ...row, message: 'a;=1', attributes: { a: 'x;=2' } }]
    }
    const { body } = await open({ exportLogs: async () => exported(split) }).get('/api/logs/export?format=csv')
    expect(body.split(';').filter((cell) => /^[\s"]*=/.test(cell))).toEqual([])
  })

  it('that cannot begin is a proper error, not a broken file', async () => {
    const error = new AppError('query_timeout', 'Too slow. Narrow it.')
    const answer = await open({ exportLogs: async () => exported(() => failing(error)) }).get('/api/logs/export')
    expect([answer.statusCode, answer.json().error.code]).toEqual([504, 'query_timeout'])
  })
})

describe('a tail', () => {
  async function connect(server: HttpServer) {
    const port = await server.listen('127.0.0.1', 0)
    let text = ''
    const state = { isClosed: false, isComplete: false, headers: {} as Record<string, unknown>, text: () => text }
    const asked = request({ port, host: '127.0.0.1', path: '/api/logs/tail', headers: KEY }, (response) => {
      state.headers = response.headers
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', () => {})
      response.on('close', () => {
        state.isClosed = true
        state.isComplete = response.complete
      })
    })
    asked.on('error', () => {})
    asked.end()
    return { ...state, state, leave: () => asked.destroy() }
  }

  const endless: Reading['tailLogs'] = async function* (_caller, _input, signal) {
    yield { rows: [], dropped: 0 }
    yield { rows: [row], dropped: 2 }
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }

  it('sends batches as events, and ends when the key is revoked', { timeout: 15_000 }, async () => {
    const { server, state } = open({ tailLogs: endless }, { recheckAfterMs: 20 })
    const client = await connect(server)
    await expect.poll(client.text).toContain('event: logs\ndata: {"rows":[{"kind":"log","id":"log_1"')
    expect(client.text()).toContain('"dropped":2')
    expect(client.text()).toMatch(/^: connected\n\nevent: ready\ndata: {}\n\nevent: logs\n/)
    expect(client.state.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      'cache-control': 'no-store',
    })
    state.isRevoked = true
    await expect.poll(client.text, { timeout: 4_000 }).toContain('event: end\ndata: {"error":{"code":"unauthorized"')
    await expect.poll(() => client.state.isClosed).toBe(true)
  })

  it('ends when the service stops', async () => {
    const { server, stopping } = open({ tailLogs: endless })
    const client = await connect(server)
    await expect.poll(client.text).toContain('event: logs')
    stopping.abort()
    await expect.poll(() => client.state.isClosed).toBe(true)
    expect(client.state.isComplete).toBe(true)
  })

  it('stops asking when the client goes', async () => {
    let isStopped = false
    const { server } = open({
      tailLogs: async function* (caller, input, signal) {
        signal.addEventListener('abort', () => {
          isStopped = true
        })
        yield* endless(caller, input, signal)
      },
    })
    const client = await connect(server)
    await expect.poll(client.text).toContain('event: logs')
    client.leave()
    await expect.poll(() => isStopped).toBe(true)
  })

  it('is refused properly when the question is wrong', async () => {
    const error = new AppError('invalid_request', 'The bracket is not closed.')
    const { get } = open({ tailLogs: () => failing(error) })
    expect((await get('/api/logs/tail?query=(')).statusCode).toBe(400)
  })
})
