import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hurriedClock } from '../testing/hurried-clock.ts'
import { listen, type Received, reply } from '../testing/listen.ts'
import { bridge } from './bridge.ts'
import { forwardTo, protocolHeaders } from './forward.ts'

type Answer = (received: Received) => [number, unknown] | Promise<[number, unknown]>

async function begin(answer: Answer) {
  const { url, received } = await listen(async (one, response) => reply(response, ...(await answer(one))))
  return { ...bridgeTo(url), received }
}

function bridgeTo(url: string) {
  const input = new PassThrough()
  const output: string[] = []
  const connection = { url, key: 'tidemark_read_x' }
  const forward = forwardTo(connection, { ...hurriedClock(), patienceMs: 700 })
  const done = bridge({ connection, input, write: (line) => void output.push(line), forward })
  onTestFinished(() => void input.end())
  return {
    done,
    input,
    say: (message: unknown) => input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    answers: () => output.map((line) => JSON.parse(line)),
    async answer(count = 1) {
      while (output.length < count) await sleep(5)
      return output.map((line) => JSON.parse(line))
    },
  }
}

const call = (id: number | string, method = 'tools/list', params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const echo: Answer = ({ body }) => [200, { jsonrpc: '2.0', id: JSON.parse(body).id, result: {} }]

describe('the bridge', () => {
  it('carries a request with the key, and its answer', async () => {
    const { say, answer, received } = await begin(echo)
    say(call(1))
    expect(await answer()).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    expect(received[0]).toMatchObject({
      method: 'POST',
      path: '/mcp',
      headers: { authorization: 'Bearer tidemark_read_x', accept: 'application/json' },
    })
  })

  it('repeats the version that initialize agreed on', async () => {
    const { say, answer, received } = await begin(({ body }) => {
      const { id } = JSON.parse(body)
      return [200, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18' } }]
    })
    say(call(1, 'initialize', { protocolVersion: '2025-11-25' }))
    await answer()
    say(call(2))
    await answer(2)
    expect(received.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([undefined, '2025-06-18'])
  })

  it('gives the stateless revision the headers it wants', () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    expect(protocolHeaders(call(1, 'tools/call', { name: 'list_logs', _meta }), undefined)).toEqual({
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'list_logs',
    })
    expect(protocolHeaders(call(1, 'resources/read', { uri: 'x://grüße', _meta }), '2025-06-18')).toMatchObject({
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Name': `=?base64?${Buffer.from('x://grüße').toString('base64')}?=`,
    })
  })

  it('writes nothing for notifications', async () => {
    const { say, answer } = await begin((one) => (one.body.includes('"id"') ? echo(one) : [202, '']))
    say({ jsonrpc: '2.0', method: 'notifications/initialized' })
    say(call('after'))
    expect(await answer()).toEqual([expect.objectContaining({ id: 'after' })])
  })

  it('answers in the order in which answers are ready', async () => {
    const { say, answer, answers } = await begin(async (one) => {
      if (one.body.includes('"slow"')) while (answers().length === 0) await sleep(5)
      return echo(one)
    })
    say(call('slow'))
    say(call('quick'))
    expect((await answer(2)).map(({ id }) => id)).toEqual(['quick', 'slow'])
  })

  it('leaves a cancelled request without an answer and goes on', async () => {
    let isSlowDone = false
    const { say, answer, answers, received, input, done } = await begin(async (one) => {
      if (one.body.includes('"slow"')) {
        while (answers().length === 0) await sleep(5)
        isSlowDone = true
      }
      return echo(one)
    })
    say(call('slow'))
    await expect.poll(() => received.length).toBe(1)
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } })
    say(call('next'))
    await answer()
    await expect.poll(() => isSlowDone).toBe(true)
    input.end()
    await done
    expect(answers().map(({ id }) => id)).toEqual(['next'])
  })

  it.each([
    [
      401,
      { error: { code: 'unauthorized', message: 'This key was revoked.' } },
      -32_001,
      'The read key was refused (401): This key was revoked.',
    ],
    [502, '<html>', -32_000, 'The service did not answer the request (502)'],
    [200, '<html>sign in</html>', -32_000, 'check that TIDEMARK_URL (or --url) is a Tidemark service'],
  ])('makes %i an error of the protocol, and stays', async (status, body, code, hint) => {
    const { say, answer } = await begin((one) => (one.body.includes('first') ? [status, body] : echo(one)))
    say(call('first'))
    const [refusal] = await answer()
    expect(refusal).toMatchObject({ jsonrpc: '2.0', id: 'first', error: { code, data: { status } } })
    expect(refusal.error.message).toContain(hint)
    say(call('second'))
    expect((await answer(2))[1]).toMatchObject({ id: 'second', result: {} })
  })

  it('says that the service is away, and works when it is back', async () => {
    const gone = await listen(async (one, response) => reply(response, ...(await echo(one))))
    await new Promise((resolve) => gone.server.close(resolve))
    const { say, answer } = bridgeTo(gone.url)
    say(call(1))
    expect((await answer())[0]).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('cannot be reached') },
    })
    await new Promise<void>((resolve, reject) =>
      gone.server.once('error', reject).listen(Number(new URL(gone.url).port), '127.0.0.1', resolve),
    )
    say(call(2))
    expect((await answer(2))[1]).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
  })

  it('gives back the id that a refusal before reading did not know', async () => {
    const { say, answer } = await begin(() => [
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'No.' } },
    ])
    say(call(7))
    expect((await answer())[0]).toMatchObject({ id: 7, error: { code: -32_600 } })
  })

  it('answers a line that is no JSON, and ends when the input ends and all is answered', async () => {
    const { say, input, done, answers } = await begin(async (one) => {
      await inputEnd
      return echo(one)
    })
    const inputEnd = once(input, 'end')
    say('{nonsense')
    input.end(`${JSON.stringify(call(1))}\n`)
    await done
    expect(answers()).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'The line is not valid JSON.' } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
  })
})
