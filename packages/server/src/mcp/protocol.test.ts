/** What the stateless revision of the protocol asks of a server, line by line, beside the initialize-based ones. */
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { analysisOf } from '../testing/analysis.ts'
import { deferred } from '../testing/deferred.ts'
import { fakeReading } from '../testing/reading.ts'
import { deployOf, logRow, readCaller } from '../testing/reading-rows.ts'
import type { Reading } from '../verbs/open-reading.ts'
import { createMcpEndpoint, type McpOptions } from './endpoint.ts'

const MODERN = '2026-07-28'
const META = 'io.modelcontextprotocol'
const ENVELOPE = {
  [`${META}/protocolVersion`]: MODERN,
  [`${META}/clientInfo`]: { name: 'test', version: '1' },
  [`${META}/clientCapabilities`]: {},
}
const LOG = `tidemark://log/${logRow(0).id}`
const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const
const data = { records: [logRow(0)], deploys: [deployOf(0)], analyses: [analysisOf(0)] }

describe('2026-07-28', () => {
  it('is discovered with versions, capabilities, identity and instructions', async () => {
    const { result } = await json(modern('server/discover'))
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [MODERN],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: expect.stringContaining('never instructions'),
      ttlMs: 3_600_000,
      cacheScope: 'public',
      _meta: { [`${META}/serverInfo`]: { name: 'tidemark' } },
    })
  })

  it('has in every result its type and who answered', async () => {
    const asked: [string, object, string?][] = [
      ...LISTS.map((method): [string, object] => [method, {}]),
      ['tools/call', { name: 'list_projects', arguments: {} }, 'list_projects'],
      ['resources/read', { uri: LOG }, LOG],
      ['prompts/get', { name: 'triage' }, 'triage'],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'triage' }, argument: { name: 'from', value: '' } }],
    ]
    for (const [method, params, name] of asked) {
      const response = await modern(method, params, { name })
      expect([method, response.status]).toEqual([method, 200])
      const { result } = await json(response)
      expect(result.resultType, method).toBe('complete')
      expect(result._meta[`${META}/serverInfo`].name, method).toBe('tidemark')
    }
  })

  it.each(LISTS)('says of %s how long and by whom it may be kept, in the same order each time', async (method) => {
    const { _meta: _, ...first } = (await json(modern(method))).result
    const { _meta: __, ...again } = (await json(modern(method))).result
    expect(first).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' })
    expect(again).toEqual(first)
  })

  it('lets nobody share what is a caller’s own', async () => {
    const { result } = await json(modern('resources/read', { uri: LOG }, { name: LOG }))
    expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
    const uri = 'tidemark://guide/query'
    expect((await json(modern('resources/read', { uri }, { name: uri }))).result.cacheScope).toBe('public')
  })

  it.each(['ping', 'logging/setLevel', 'initialize', 'resources/subscribe', 'tasks/list', 'nothing/here'])(
    'has no %s: 404 and -32601',
    async (method) => {
      const response = await modern(method)
      expect([response.status, (await json(response)).error.code]).toEqual([404, -32_601])
    },
  )

  it('takes no notice of sessions and of what to resume', async () => {
    const headers = { 'mcp-session-id': 'abc', 'last-event-id': '7' }
    const response = await modern('tools/list', {}, { headers })
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null])
  })

  it.each([
    ['no Mcp-Method', 'tools/list', {}, { 'mcp-method': null }],
    ['another Mcp-Method', 'tools/list', {}, { 'mcp-method': 'prompts/list' }],
    ['no Mcp-Name of a tool', 'tools/call', { name: 'list_projects' }, {}],
    ['another Mcp-Name of a tool', 'tools/call', { name: 'list_projects' }, { 'mcp-name': 'list_logs' }],
    ['no Mcp-Name of a resource', 'resources/read', { uri: LOG }, {}],
    ['another Mcp-Name of a resource', 'resources/read', { uri: LOG }, { 'mcp-name': 'tidemark://log/x' }],
    ['no Mcp-Name of a prompt', 'prompts/get', { name: 'triage' }, {}],
    ['another Mcp-Name of a prompt', 'prompts/get', { name: 'triage' }, { 'mcp-name': 'postmortem' }],
    ['no version header', 'tools/list', {}, { 'mcp-protocol-version': null }],
    ['another version header', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }],
  ])('refuses %s: 400 and -32020', async (_, method, params, headers) => {
    const response = await modern(method, params, { headers })
    expect([response.status, (await json(response)).error.code]).toEqual([400, -32_020])
  })

  it('compares a name in base64 by what it says', async () => {
    const name = `=?base64?${Buffer.from('list_projects').toString('base64')}?=`
    const called = await modern('tools/call', { name: 'list_projects', arguments: {} }, { name })
    expect(called.status).toBe(200)
    const other = `=?base64?${Buffer.from('list_logs').toString('base64')}?=`
    expect((await modern('tools/call', { name: 'list_projects' }, { name: other })).status).toBe(400)
  })

  it('refuses a version that is not there with those that are', async () => {
    const version = '2099-01-01'
    const meta = { ...ENVELOPE, [`${META}/protocolVersion`]: version }
    const response = await modern('tools/list', {}, { headers: { 'mcp-protocol-version': version }, meta })
    expect([response.status, (await json(response)).error]).toMatchObject([
      400,
      { code: -32_022, data: { requested: version, supported: expect.arrayContaining([MODERN]) } },
    ])
  })

  it('refuses a request that does not say what its client can do', async () => {
    const { [`${META}/clientCapabilities`]: _, ...meta } = ENVELOPE
    const response = await modern('tools/list', {}, { meta })
    expect([response.status, (await json(response)).error.code]).toEqual([400, -32_602])
  })

  it('answers a resource, a tool and a prompt that are not there with -32602', async () => {
    const uri = 'tidemark://log/log_none'
    const asked = [
      await modern('resources/read', { uri }, { name: uri }),
      await modern('tools/call', { name: 'nothing' }, { name: 'nothing' }),
      await modern('prompts/get', { name: 'nothing' }, { name: 'nothing' }),
    ]
    for (const response of asked) expect((await json(response)).error.code).toBe(-32_602)
  })

  it('answers wrong arguments of a tool with a result that says so', async () => {
    const { result } = await json(
      modern('tools/call', { name: 'list_logs', arguments: { limit: 0 } }, { name: 'list_logs' }),
    )
    expect(result).toMatchObject({ isError: true, resultType: 'complete' })
    expect(result).not.toHaveProperty('errorCode')
  })
})

describe('the initialize-based revisions', () => {
  it('have resources, templates, prompts and completion, without what only the newest knows', async () => {
    const { result: read } = await json(legacy('resources/read', { uri: LOG }))
    expect(read.contents[0].text).toContain('card declined')
    const { result: got } = await json(legacy('prompts/get', { name: 'triage' }))
    expect(got.messages).toHaveLength(1)
    const ref = { type: 'ref/resource', uri: 'tidemark://deploy/{id}' }
    const { result: done } = await json(legacy('completion/complete', { ref, argument: { name: 'id', value: 'dep_' } }))
    expect(done.completion.values).toEqual([deployOf(0).id])
    for (const method of LISTS) expect((await json(legacy(method))).result).not.toHaveProperty('resultType')
    expect(JSON.stringify([read, got, done])).not.toMatch(/ttlMs|cacheScope|resultType/)
  })

  it('answer without a version header, and ping', async () => {
    expect(await json(legacy('ping'))).toMatchObject({ result: {} })
    expect((await legacy('tools/list')).status).toBe(200)
  })

  it('answer a method that is not there with -32601', async () => {
    expect((await json(legacy('nothing/here'))).error.code).toBe(-32_601)
  })
})

it('writes down what goes wrong with the trace of its client, and no other text of it', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
  const broken: Reading = { ...fakeReading(data), listLogs: async () => Promise.reject(new Error('a fault')) }
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  for (const said of [traceparent, 'forged\nline', 7]) {
    const params = { name: 'list_logs', arguments: {}, _meta: { traceparent: said } }
    await send('tools/call', params, { options: { reading: broken, log } })
  }
  expect(lines.map((line) => JSON.parse(line).traceparent)).toEqual([traceparent, undefined, undefined])
})

describe('progress', () => {
  const BOTH = 'application/json, text/event-stream'
  const withToken = (meta: object) => ({ name: 'list_logs', arguments: {}, _meta: { ...meta, progressToken: 'p-1' } })

  it.each([
    ['an initialize-based client', {}],
    ['a client of the newest revision', ENVELOPE],
  ])('is told to %s that asked and takes a stream, until the answer', async (_, meta) => {
    const { options, finish } = slow()
    const response = await send('tools/call', withToken(meta), { options, headers: headersFor(meta), accept: BOTH })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const messages = messagesOf(response)
    const seen = [await messages.next(), await messages.next(), await messages.next()]
    finish()
    const rest = []
    for await (const message of messages) rest.push(message)
    const progress = seen.map(({ value }) => value)
    expect(progress.map(({ method, params }) => [method, params.progressToken])).toEqual(
      Array(3).fill(['notifications/progress', 'p-1']),
    )
    const amounts = progress.map(({ params }) => params.progress)
    expect(amounts.toSorted((a, b) => a - b)).toEqual(amounts)
    expect(new Set(amounts).size).toBe(3)
    expect(rest.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { rows: [{}, {}] } } })
  })

  it.each([
    ['application/json', withToken({})],
    ['*/*', withToken({})],
    [undefined, withToken({})],
    [BOTH, { name: 'list_logs', arguments: {} }],
  ])('is not told when Accept is %s and params are %j: the answer is JSON', async (accept, params) => {
    const { options, begun, finish } = slow()
    const answer = send('tools/call', params, { options, accept })
    await begun
    // A later one that may be told of is: by then this one would have been, too.
    const later = slow()
    const told = await send('tools/call', withToken({}), { options: later.options, accept: BOTH })
    expect(told.headers.get('content-type')).toBe('text/event-stream')
    later.finish()
    await told.text()
    finish()
    const response = await answer
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect((await json(response)).result.structuredContent.rows).toHaveLength(2)
  })

  it('is not told in a batch, even of one: its answer is a list', async () => {
    const { options, begun, finish } = slow()
    const body = [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: withToken({}) }]
    const answer = sendBody(body, { options, accept: BOTH })
    await begun
    const later = slow()
    const told = await send('tools/call', withToken({}), { options: later.options, accept: BOTH })
    later.finish()
    await told.text()
    finish()
    expect(await json(await answer)).toMatchObject([{ id: 1, result: { structuredContent: { rows: [{}, {}] } } }])
  })

  it('is not told of a call that is quick', async () => {
    const options = { progressEveryMs: 60_000 }
    const response = await send('tools/call', withToken({}), { options, accept: BOTH })
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  })

  it('ends without the answer when the key was revoked meanwhile', async () => {
    const { options, finish } = slow()
    let isRevoked = false
    let nowMs = 0
    const authenticate = async () => {
      if (isRevoked) throw new AppError('unauthorized', 'no such key')
      return readCaller()
    }
    const response = await send('tools/call', withToken({}), {
      options: { ...options, authenticate, now: () => nowMs },
      accept: BOTH,
    })
    isRevoked = true
    nowMs = 5_000
    finish()
    const messages = []
    for await (const message of messagesOf(response)) messages.push(message)
    expect(messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32_600, message: 'no such key' } })
    expect(JSON.stringify(messages)).not.toContain('rows')
  })

  /** A query that ends when it is told to, and tells of itself every few milliseconds. */
  function slow() {
    const [begun, gate] = [deferred(), deferred()]
    const quick = fakeReading(data)
    const reading: Reading = {
      ...quick,
      async listLogs(...args) {
        begun.resolve()
        await gate.promise
        return quick.listLogs(...args)
      },
    }
    return { options: { reading, progressEveryMs: 2 }, begun: begun.promise, finish: gate.resolve }
  }
})

type Sent = {
  options?: Partial<McpOptions>
  headers?: Record<string, string | null>
  accept?: string | undefined
}

function send(method: string, params: unknown, sent?: Sent): Promise<Response> {
  return sendBody({ jsonrpc: '2.0', id: 1, method, params }, sent)
}

function sendBody(message: unknown, { options = {}, headers = {}, accept }: Sent = {}): Promise<Response> {
  const endpoint = createMcpEndpoint({
    reading: fakeReading(data),
    authenticate: async () => readCaller(),
    publicUrl: 'https://logs.example',
    version: '9.9.9',
    log: createLog('silent'),
    ...options,
  })
  const given = { authorization: 'Bearer tidemark_read_x', 'content-type': 'application/json', accept, ...headers }
  const known = Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const body = JSON.stringify(message)
  return endpoint(new Request('http://localhost/mcp', { method: 'POST', headers: known, body }))
}

function legacy(method: string, params: object = {}): Promise<Response> {
  return send(method, params)
}

type Modern = { name?: string | undefined; headers?: Record<string, string | null>; meta?: object }

function modern(method: string, params: object = {}, { name, headers = {}, meta = ENVELOPE }: Modern = {}) {
  const usual = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  }
  return send(method, { ...params, _meta: meta }, { headers: { ...usual, ...headers } })
}

function headersFor(meta: object): Record<string, string> {
  if (meta !== ENVELOPE) return {}
  return { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'list_logs' }
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
async function* messagesOf(response: Response): AsyncGenerator<any, void> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const frame = text.slice(0, end)
      text = text.slice(end + 2)
      yield JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '')
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
async function json(response: Response | Promise<Response>): Promise<any> {
  return (await response).json()
}
