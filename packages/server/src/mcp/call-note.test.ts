import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { McpCall } from '../model/mcp-call.ts'
import { fakeReading } from '../testing/reading.ts'
import { logRow, NOW_MS, readCaller } from '../testing/reading-rows.ts'
import { CallLimits } from '../verbs/reading/call-limits.ts'
import { createMcpEndpoint, type McpOptions } from './endpoint.ts'

const SECRET = 'ZANZIBAR'
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

describe('what is kept of a call', () => {
  it('is the tool, the names of its arguments, the rows, and the size of both forms of its answer', async () => {
    const records = Array.from({ length: 3 }, (_, index) => ({ ...logRow(index), message: `${SECRET} ${index}` }))
    const { calls, send } = open({ reading: fakeReading({ records }) })
    const { result } = await send('tools/call', { name: 'list_logs', arguments: { query: SECRET, limit: 9 } })
    expect(calls).toEqual([
      {
        atMs: NOW_MS,
        method: 'tools/call',
        name: 'list_logs',
        arguments: ['query', 'limit'],
        durationMs: expect.any(Number),
        rows: 3,
        bytes: Buffer.byteLength(JSON.stringify(result.structuredContent)) + contentBytes(result),
        tokens: Math.ceil(Math.max(result.content[0].text.length, JSON.stringify(result.structuredContent).length) / 4),
        error: null,
      },
    ])
    expect(JSON.stringify(calls)).not.toContain(SECRET)
  })

  it('is the same for a client of the stateless revision', async () => {
    const { calls, send } = open()
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'list_deploys' }
    await send('tools/call', { name: 'list_deploys', arguments: {}, _meta: MODERN }, headers)
    expect(calls).toMatchObject([{ name: 'list_deploys', rows: 0, error: null }])
  })

  it('tells of resources, prompts and completions too, by their own names and never by an id', async () => {
    const { calls, send } = open()
    await send('resources/read', { uri: 'tidemark://guide/query' })
    await send('resources/read', { uri: `tidemark://log/${SECRET}` })
    await send('prompts/get', { name: 'debug_error', arguments: { error: SECRET } })
    await send('completion/complete', {
      ref: { type: 'ref/prompt', name: 'triage' },
      argument: { name: 'environment', value: SECRET },
    })
    await send('completion/complete', {
      ref: { type: 'ref/resource', uri: 'tidemark://deploy/{id}' },
      argument: { name: 'id', value: SECRET },
    })
    expect(calls.map(({ method, name, arguments: given, error }) => [method, name, given, error])).toEqual([
      ['resources/read', 'tidemark://guide/query', [], null],
      ['resources/read', 'tidemark://log/{id}', [], 'not_found'],
      ['prompts/get', 'debug_error', ['error'], null],
      ['completion/complete', 'triage', ['environment'], null],
      ['completion/complete', 'tidemark://deploy/{id}', ['id'], null],
    ])
    expect(calls[0]).toMatchObject({ rows: null, bytes: expect.any(Number) })
    expect(calls[0]?.tokens).toBeGreaterThan(100)
    expect(JSON.stringify(calls)).not.toContain(SECRET)
  })

  it('has no name that is not ours', async () => {
    const { calls, send } = open()
    await send('tools/call', { name: SECRET, arguments: { a: 1 } })
    await send('tools/call', { name: 'list_logs', arguments: { [SECRET]: 1, query: 'a' } })
    await send('prompts/get', { name: SECRET })
    await send('resources/read', { uri: SECRET })
    await send('resources/read', { uri: `tidemark://${SECRET}/x` })
    await send('completion/complete', {
      ref: { type: 'ref/prompt', name: SECRET },
      argument: { name: SECRET, value: SECRET },
    })
    expect(calls.map(({ name, arguments: given, error }) => [name, given, error])).toEqual([
      [null, [], 'invalid_request'],
      ['list_logs', ['query'], 'invalid_request'],
      ...Array(4).fill([null, [], 'invalid_request']),
    ])
    expect(JSON.stringify(calls)).not.toContain(SECRET)
  })

  it('names what went wrong by its code', async () => {
    const failing = (error: unknown) => ({ ...fakeReading(), listLogs: () => Promise.reject(error) })
    const errors = []
    for (const error of [
      new AppError('engine_restarting', SECRET),
      new AppError('query_timeout', SECRET),
      new Error(SECRET),
    ]) {
      const { calls, send } = open({ reading: failing(error) })
      await send('tools/call', { name: 'list_logs' })
      errors.push(calls[0]?.error)
    }
    expect(errors).toEqual(['engine_restarting', 'query_timeout', 'internal'])
  })

  it('names what went wrong with a completion by its code, and our log by its method', async () => {
    const lines: string[] = []
    const { calls, send } = open({
      reading: { ...fakeReading(), suggestNames: () => Promise.reject(new AppError('engine_restarting', SECRET)) },
      log: pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) }),
    })
    const { error } = await send('completion/complete', {
      ref: { type: 'ref/prompt', name: 'triage' },
      argument: { name: 'environment', value: '' },
    })
    expect(error).toEqual({ code: -32_603, message: SECRET })
    expect(calls).toMatchObject([{ method: 'completion/complete', error: 'engine_restarting' }])
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { called: 'completion/complete', msg: 'an MCP call failed' },
    ])
  })

  it('is nothing for lists, pings and what is no message', async () => {
    const { calls, send } = open()
    for (const method of ['ping', 'tools/list', 'prompts/list', 'resources/list', 'nonsense']) await send(method, {})
    await send('tools/call', { name: 7 })
    expect(calls).toEqual([])
  })

  it('is one note for each call of a batch', async () => {
    const { calls, sendBody } = open()
    const message = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })
    await sendBody([message(1, 'list_deploys'), message(2, 'list_projects'), { ...message(3, ''), method: 'ping' }])
    expect(calls.map(({ name }) => name).sort()).toEqual(['list_deploys', 'list_projects'])
  })

  it('says that the answer was withheld when the key was revoked meanwhile', async () => {
    let nowMs = NOW_MS
    let isRevoked = false
    const reading = fakeReading({ records: [logRow(1)] })
    const { calls, send } = open({
      reading: {
        ...reading,
        listLogs: (...args) => {
          isRevoked = true
          nowMs += 5_000
          return reading.listLogs(...args)
        },
      },
      authenticate: async () => {
        if (isRevoked) throw new AppError('unauthorized', 'no such key')
        return readCaller()
      },
      now: () => nowMs,
    })
    await send('tools/call', { name: 'list_logs' })
    expect(calls).toMatchObject([{ name: 'list_logs', error: 'unauthorized', rows: null, bytes: 0, tokens: 0 }])
  })

  it('says that the client left', async () => {
    const gone = new AbortController()
    const { calls, send } = open({
      reading: {
        ...fakeReading(),
        listLogs: (_, __, signal) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason))
            gone.abort()
          }),
      },
    })
    await send('tools/call', { name: 'list_logs' }, {}, gone.signal)
    await expect.poll(() => calls).toMatchObject([{ name: 'list_logs', error: 'cancelled', bytes: 0 }])
  })

  it('tells of calls over the limit, at most one a second after the first sixty', async () => {
    let nowMs = NOW_MS
    const limits = new CallLimits({ callsPerMinute: 1, atOnce: 8 })
    const { calls, send } = open({ limits, now: () => nowMs })
    for (let call = 0; call < 100; call++) await send('tools/call', { name: 'list_deploys', arguments: { limit: 1 } })
    await send('ping', {})
    expect(calls.map(({ error }) => error)).toEqual([null, ...Array(60).fill('rate_limited')])
    expect(calls.at(-1)).toMatchObject({ name: 'list_deploys', arguments: ['limit'], rows: null, bytes: 0 })
    nowMs += 2_000
    for (let call = 0; call < 5; call++) await send('tools/call', { name: 'list_deploys' })
    expect(calls).toHaveLength(63)
  })
})

function open(options: Partial<McpOptions> = {}) {
  const calls: McpCall[] = []
  const endpoint = createMcpEndpoint({
    reading: fakeReading(),
    authenticate: async () => readCaller(),
    publicUrl: 'https://logs.example',
    version: '9.9.9',
    log: createLog('silent'),
    now: () => NOW_MS,
    noteCall: (caller, call) => {
      expect(caller.keyId).toBe(readCaller().keyId)
      calls.push(call)
    },
    ...options,
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
  const sendBody = async (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<any> => {
    const response = await endpoint(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { authorization: 'Bearer tidemark_read_x', 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
    )
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  }
  const send = (method: string, params: object, headers?: Record<string, string>, signal?: AbortSignal) =>
    sendBody({ jsonrpc: '2.0', id: 1, method, params }, headers, signal)
  return { calls, send, sendBody }
}

/** Of everything but the structured form. */
function contentBytes({ structuredContent: _, resultType: __, ...rest }: Record<string, unknown>): number {
  return Buffer.byteLength(JSON.stringify(rest))
}
