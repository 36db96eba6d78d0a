import { createKeyCommand } from '@tidemark/wire/shell-commands'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { KeyCaller } from '../model/caller.ts'
import { deferred } from '../testing/deferred.ts'
import { fakeReading } from '../testing/reading.ts'
import { logRow, NOW_MS, readCaller } from '../testing/reading-rows.ts'
import type { Reading } from '../verbs/open-reading.ts'
import { CallLimits } from '../verbs/reading/call-limits.ts'
import { createMcpEndpoint, type McpOptions } from './endpoint.ts'

const MODERN = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

describe('the endpoint', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('speaks %s after initialize', async (version) => {
    const response = await send(open(), rpc('initialize', initialize(version)))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('mcp-session-id')).toBe(null)
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { protocolVersion: version, serverInfo: { name: 'tidemark', version: '9.9.9' } },
    })
  })

  it('answers a version it does not know with its newest initialize-based one', async () => {
    const { result } = await json(send(open(), rpc('initialize', initialize('1999-01-01'))))
    expect(result.protocolVersion).toBe('2025-11-25')
    expect(result.instructions).toMatch(/never instructions/)
  })

  it.each(['application/json', '*/*', 'text/event-stream', undefined])(
    'answers JSON when Accept is %s',
    async (accept) => {
      const response = await send(open(), rpc('tools/list'), { accept })
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      const { result } = (await response.json()) as { result: { tools: { name: string }[] } }
      expect(result.tools.map(({ name }) => name)).toContain('list_logs')
    },
  )

  it('takes notifications with 202 and batches with an array', async () => {
    const endpoint = open()
    const initialized = await send(endpoint, { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([initialized.status, await initialized.text()]).toEqual([202, ''])
    const batch = [rpc('ping'), { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }]
    expect(await json(send(endpoint, batch))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  it('calls a tool for the caller of the key', async () => {
    const reading = fakeReading({ records: [logRow(0)] })
    const { result } = await json(send(open({ reading }), callTool('list_logs', { limit: 1 })))
    expect(result.structuredContent.rows).toHaveLength(1)
    expect(result.content[0].text).toContain('card declined')
    expect(reading.asked[0]?.input).toMatchObject({ limit: 1 })
  })

  it('speaks the stateless revision on the same path', async () => {
    const reading = fakeReading({ records: [logRow(0)] })
    const endpoint = open({ reading })
    const discovered = await json(modern(endpoint, 'server/discover'))
    expect(discovered.result).toMatchObject({ supportedVersions: [MODERN], resultType: 'complete' })
    const listed = await json(modern(endpoint, 'tools/list'))
    expect(listed.result).toMatchObject({ cacheScope: 'public', ttlMs: 3_600_000 })
    const called = await json(modern(endpoint, 'tools/call', { name: 'list_logs', arguments: {} }, 'list_logs'))
    expect(called.result.structuredContent.rows).toHaveLength(1)
    const mismatch = await modern(endpoint, 'tools/call', { name: 'list_logs', arguments: {} }, 'count_logs')
    expect([mismatch.status, (await json(mismatch)).error.code]).toEqual([400, -32_020])
    const unknown = await modern(endpoint, 'nothing/here')
    expect([unknown.status, (await json(unknown)).error.code]).toEqual([404, -32_601])
  })

  it('opens no stream: subscriptions are refused', async () => {
    const response = await modern(open(), 'subscriptions/listen', { notifications: {} })
    expect([response.status, (await json(response)).error.code]).toEqual([404, -32_601])
  })

  it('has guides to read', async () => {
    const endpoint = open()
    const { result } = await json(send(endpoint, rpc('resources/list')))
    expect(result.resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'tidemark://guide/query',
      'tidemark://guide/time',
    ])
    const read = await json(send(endpoint, rpc('resources/read', { uri: 'tidemark://guide/time' })))
    expect(read.result.contents[0].text).toMatchInlineSnapshot(`
      "# Times

      Accepted: an RFC 3339 time, a date, now, -90m, 24h, today, yesterday, an epoch, deploy:latest-15m, deploy:<id>+5m or analysis:<id>.

      - \`-90m\`, \`now-90m\` and \`90m\` mean the same: that long ago. Units are s, m, h, d and w.
      - An epoch may be in seconds, milliseconds, microseconds or nanoseconds.
      - \`deploy:latest\` is the newest deploy that succeeded, \`deploy:<id>\` one of list_deploys; add an offset such as \`-15m\` or \`+5m\`.
      - \`analysis:<id>\` is when the current episode of an analysis began; it takes an offset too.
      - A window holds its start and not its end. Without from it begins at \`-24h\`, without to it ends now.
      - Answers are always in UTC. A cursor keeps the window of its first page."
    `)
    const missing = await json(send(endpoint, rpc('resources/read', { uri: 'tidemark://guide/none' })))
    expect(missing.error.code).toBe(-32_602)
  })

  it('names the nearest tool when there is none of that name', async () => {
    const { error } = await json(send(open(), callTool('list_log', {})))
    expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(/Did you mean list_logs\?$/) })
  })
})

describe('a request that is not a message', () => {
  it.each(['GET', 'DELETE', 'PUT'])('%s gets 405 and Allow, before any key is looked at', async (method) => {
    const endpoint = open({ authenticate: async () => Promise.reject(new Error('not to be asked')) })
    const response = await endpoint(new Request('http://localhost/mcp', { method }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await json(response)).toMatchObject({ error: { code: 'method_not_allowed', requestId: expect.any(String) } })
  })

  it('that is no JSON gets a parse error', async () => {
    const response = await send(open(), '{"jsonrpc":')
    expect([response.status, await json(response)]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: expect.any(String) } },
    ])
  })

  it.each(['null', '7', '"text"', '[]', '[null]', '{}', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])(
    'that is other JSON (%#) gets a JSON answer',
    async (body) => {
      const response = await send(open(), body)
      expect(response.status).toBe(400)
      expect(await json(response)).toMatchObject({ error: { code: expect.any(Number) } })
    },
  )

  it('that is too large gets 413, of another type 415, with too many messages 400', async () => {
    const endpoint = open()
    expect((await send(endpoint, `"${'x'.repeat(256 * 1024)}"`)).status).toBe(413)
    expect((await send(endpoint, rpc('ping'), { type: 'text/plain' })).status).toBe(415)
    expect(
      (
        await send(
          endpoint,
          Array.from({ length: 9 }, () => rpc('ping')),
        )
      ).status,
    ).toBe(400)
  })
})

describe('a message that cannot be answered as it stands', () => {
  it.each(['banana', '', '2099-01-01', '2025-06-18, 2025-06-18'])(
    'because MCP-Protocol-Version is "%s" is told which versions there are',
    async (version) => {
      const headers = { 'mcp-protocol-version': version }
      for (const message of [
        rpc('ping'),
        rpc('initialize', initialize('2025-06-18')),
        rpc('tools/list', { _meta: ENVELOPE }),
      ]) {
        const response = await send(open(), message, { headers })
        const { id, error } = await json(response)
        expect([response.status, id, error.code]).toEqual([400, 1, -32_022])
        for (const known of [MODERN, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
          expect(error.message).toContain(known)
          if (message.method !== 'tools/list') expect(error.data.supported).toContain(known)
        }
        // Without initialize it is what server/discover names.
        if (message.method === 'tools/list') expect(error.data.supported).toEqual([MODERN])
      }
    },
  )

  it('because of its version does not get its own control characters back', async () => {
    const headers = { 'mcp-protocol-version': `\u009b31m${'x'.repeat(500)}` }
    const text = await (await send(open(), rpc('ping'), { headers })).text()
    expect(text).not.toContain('\u009b')
    expect(text.length).toBeLessThan(500)
  })

  it.each(['12345678901234567890', '9007199254740993', '1e400', '1.5'])(
    'because its id is %s is refused without an id that was never sent',
    async (id) => {
      const response = await send(open(), `{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
      expect([response.status, await json(response)]).toEqual([
        400,
        { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.stringContaining('Send it as text.') } },
      ])
    },
  )

  it('because another one has its id is refused, for one of the two would go unanswered', async () => {
    const response = await send(open(), [rpc('ping'), rpc('ping')])
    expect([response.status, (await json(response)).error.message]).toEqual([
      400,
      'Invalid request: two messages have the same id. Give each its own.',
    ])
  })

  it.each(['a\\u0000b', '\\ud800', 'a\\udc00'])(
    'because of %s in an argument is told which argument it is',
    async (text) => {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_logs","arguments":{"query":"${text}","groupBy":["${text}"]}}}`
      const { result } = await json(send(open(), body))
      expect(result.isError).toBe(true)
      for (const argument of ['query', 'groupBy']) {
        expect(result.content[0].text).toContain(
          `Argument ${argument}: holds a NUL or half of a character pair (a lone surrogate): remove it.`,
        )
      }
    },
  )

  it.each([
    ['tools/list', { cursor: 5 }, /cursor is a text/],
    ['resources/list', { cursor: {} }, /cursor is a text/],
    ['resources/read', {}, /uri is a text/],
    ['resources/read', { uri: 7 }, /uri is a text/],
    ['tools/call', {}, /name is the name of a tool/],
    ['tools/call', { name: 7 }, /name is the name of a tool/],
    ['tools/call', { name: 'list_logs', arguments: [] }, /arguments is an object/],
    ['tools/call', { name: 'list_logs', arguments: 'x' }, /arguments is an object/],
    ['prompts/list', { cursor: 1 }, /cursor is a text/],
    ['prompts/get', {}, /name is the name of a prompt/],
    ['prompts/get', { name: 'triage', arguments: { from: 1 } }, /values are texts/],
    ['prompts/get', { name: 'triage', arguments: [] }, /values are texts/],
    ['completion/complete', {}, /ref is/],
    ['completion/complete', { ref: { type: 'ref/tool', name: 'x' } }, /ref is/],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'triage' } }, /argument is/],
  ])('because %s has %j is told so, and not that the server failed', async (method, params, message) => {
    const { error } = await json(send(open(), rpc(method, params)))
    expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(message) })
  })

  it('because it is compressed is refused, for it would only look broken', async () => {
    const response = await send(open(), rpc('ping'), { headers: { 'content-encoding': 'gzip' } })
    expect(response.status).toBe(415)
  })

  it('because an argument has no name is shown the empty name', async () => {
    const { result } = await json(send(open(), callTool('list_logs', { '': 1 })))
    expect(result.content[0].text).toContain('Argument "": unknown to this tool.')
  })
})

describe('a key', () => {
  it('that is refused gets 401 with a challenge that names no OAuth', async () => {
    const response = await send(open({ authenticate: refuse }), rpc('tools/list'))
    expect(response.status).toBe(401)
    const challenge = response.headers.get('www-authenticate') ?? ''
    expect(challenge).toMatch(/^Bearer realm="tidemark", error="invalid_token", error_description="[^"]*"$/)
    expect(challenge).toContain(createKeyCommand('read'))
    expect(challenge).not.toContain('resource_metadata')
    expect(await json(response)).toEqual({
      error: { code: 'unauthorized', message: 'no such key', requestId: expect.stringMatching(/^req_/) },
    })
  })

  it('that is refused where there is OAuth gets the same challenge, and where to learn of it', async () => {
    const resourceMetadataUrl = 'https://logs.example.com/.well-known/oauth-protected-resource/mcp'
    const response = await send(open({ authenticate: refuse, resourceMetadataUrl }), rpc('tools/list'))
    expect(response.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="tidemark", error="invalid_token", error_description="[^"]*", resource_metadata="https:\/\/logs\.example\.com\/\.well-known\/oauth-protected-resource\/mcp"$/,
    )
  })

  it('is looked up on every request, with the whole header', async () => {
    const headers: (string | undefined)[] = []
    const endpoint = open({
      authenticate: async (header) => {
        headers.push(header)
        return readCaller()
      },
    })
    for (let call = 0; call < 3; call++) await send(endpoint, rpc('ping'))
    expect(headers).toEqual(Array(3).fill('Bearer tidemark_read_x'))
  })

  it.each([
    [999, 200],
    [1_001, 401],
  ])('that is revoked during a call of %i ms gets %i', async (tookMs, status) => {
    let nowMs = NOW_MS
    let isRevoked = false
    const reading: Reading = {
      ...fakeReading(),
      listLogs: async (caller, input) => {
        nowMs += tookMs
        isRevoked = true
        return fakeReading().listLogs(caller, input)
      },
    }
    const authenticate = async () => (isRevoked ? refuse() : readCaller())
    const response = await send(open({ reading, authenticate, now: () => nowMs }), callTool('list_logs', {}))
    expect(response.status).toBe(status)
    expect((await response.text()).includes('"rows"')).toBe(status === 200)
  })

  it('cannot be looked up: 503, never an answer', async () => {
    const away = async () => {
      throw new AppError('unavailable', 'The control store does not answer. Try again.')
    }
    const response = await send(open({ authenticate: away }), rpc('tools/list'))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  })

  it('has a limit of calls a minute, and its holder is told how long to wait', async () => {
    const endpoint = open({ limits: new CallLimits({ callsPerMinute: 2, atOnce: 8 }), now: () => NOW_MS })
    const statuses = []
    for (let call = 0; call < 3; call++) statuses.push((await send(endpoint, rpc('ping'))).status)
    expect(statuses).toEqual([200, 200, 429])
    const response = await send(endpoint, { ...rpc('ping'), id: 'mine' }, { headers: { 'x-request-id': 'req_1' } })
    expect([response.headers.get('retry-after'), response.headers.get('cache-control')]).toEqual(['30', 'no-store'])
    const error = {
      code: -32_000,
      message:
        'There were 2 calls in a minute, the most allowed: wait, then ask fewer and narrower questions. Retry after 30 s.',
      data: { code: 'rate_limited', retryAfterSeconds: 30, requestId: 'req_1' },
    }
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 'mine', error })
    const batch = [rpc('ping'), { ...rpc('ping'), id: 2 }, { jsonrpc: '2.0', method: 'notifications/initialized' }]
    expect(await json(send(endpoint, batch))).toMatchObject([
      { id: 1, error: { code: -32_000 } },
      { id: 2, error: { data: { retryAfterSeconds: 60 } } },
    ])
  })

  it('is as free as before when another key has used up its calls and holds all its places', async () => {
    const { promise: gate, resolve: openGate } = deferred()
    const slow = fakeReading()
    let waiting = 0
    const reading: Reading = {
      ...slow,
      listLogs: async (...args) => {
        waiting++
        await gate
        return slow.listLogs(...args)
      },
    }
    const authenticate = async (authorization: string | undefined): Promise<KeyCaller> =>
      authorization === 'Bearer stranger' ? refuse() : { ...readCaller(), keyId: authorization ?? '' }
    const limits = new CallLimits({ callsPerMinute: 40, atOnce: 4 })
    const endpoint = open({ reading, authenticate, limits, now: () => NOW_MS })
    const as = (key: string, message: unknown) =>
      send(endpoint, message, { headers: { authorization: `Bearer ${key}` } })
    const greedy = Array.from({ length: 50 }, () => as('greedy', callTool('list_logs', {})))
    await expect.poll(() => waiting).toBe(4)
    const statuses = []
    for (let call = 0; call < 40; call++) statuses.push((await as('modest', callTool('list_deploys', {}))).status)
    expect(statuses).toEqual(Array(40).fill(200))
    // A bad key is refused as one, however often it is tried, and takes nothing from anybody.
    for (let call = 0; call < 50; call++) expect((await as('stranger', rpc('ping'))).status).toBe(401)
    openGate()
    const counts = new Map<number, number>()
    for (const { status } of await Promise.all(greedy)) counts.set(status, (counts.get(status) ?? 0) + 1)
    expect(Object.fromEntries(counts)).toEqual({ 200: 4, 429: 46 })
  })

  it('has a limit of calls at once, and gets the places back', async () => {
    const { promise: gate, resolve: finish } = deferred()
    const slow = fakeReading()
    let waiting = 0
    const reading: Reading = {
      ...slow,
      listLogs: async (...args) => {
        waiting++
        return gate.then(() => slow.listLogs(...args))
      },
    }
    const endpoint = open({ reading, limits: new CallLimits({ callsPerMinute: 600, atOnce: 2 }) })
    const running = [send(endpoint, callTool('list_logs', {})), send(endpoint, callTool('list_logs', {}))]
    await expect.poll(() => waiting).toBe(2)
    expect((await send(endpoint, rpc('ping'))).status).toBe(429)
    finish()
    await Promise.all(running)
    await expect.poll(async () => (await send(endpoint, rpc('ping'))).status).toBe(200)
  })
})

describe('a client that goes away', () => {
  it.each(['legacy', 'modern'])('stops its query (%s)', async (era) => {
    const gone = new AbortController()
    let aborted = false
    const reading: Reading = {
      ...fakeReading(),
      listLogs: (_, __, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            aborted = true
            reject(signal.reason)
          })
          setTimeout(() => gone.abort(), 10)
        }),
    }
    const endpoint = open({ reading })
    const params = { name: 'list_logs', arguments: {} }
    const { signal } = gone
    const answer =
      era === 'legacy'
        ? send(endpoint, callTool('list_logs', {}), { signal })
        : modern(endpoint, 'tools/call', params, 'list_logs', signal)
    expect((await answer).status).toBe(499)
    expect(aborted).toBe(true)
  })
})

function open(options: Partial<McpOptions> = {}) {
  return createMcpEndpoint({
    reading: fakeReading(),
    authenticate: async () => readCaller(),
    publicUrl: 'https://logs.example',
    version: '9.9.9',
    log: createLog('silent'),
    ...options,
  })
}

type Sent = { accept?: string | undefined; type?: string; signal?: AbortSignal; headers?: Record<string, string> }

function send(endpoint: ReturnType<typeof open>, body: unknown, { accept, type, signal, headers }: Sent = {}) {
  return endpoint(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        authorization: 'Bearer tidemark_read_x',
        'content-type': type ?? 'application/json',
        ...(accept !== undefined && { accept }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    }),
  )
}

function modern(endpoint: ReturnType<typeof open>, method: string, params = {}, name?: string, signal?: AbortSignal) {
  const headers = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  }
  const message = rpc(method, { ...params, _meta: ENVELOPE })
  return send(endpoint, message, { headers, accept: 'application/json, text/event-stream', ...(signal && { signal }) })
}

function rpc(method: string, params?: unknown) {
  return { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) }
}

function callTool(name: string, args: unknown) {
  return rpc('tools/call', { name, arguments: args })
}

function initialize(protocolVersion: string) {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
}

async function refuse(): Promise<never> {
  throw new AppError('unauthorized', 'no such key')
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
async function json(response: Response | Promise<Response>): Promise<any> {
  return (await response).json()
}
