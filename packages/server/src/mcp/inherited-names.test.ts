/** Every object inherits names that nobody gave it. An agent's text that happens to be one of them is text like any other. */
import { describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { INHERITED_NAMES } from '../testing/inherited-names.ts'
import { fakeReading } from '../testing/reading.ts'
import { readCaller } from '../testing/reading-rows.ts'
import { createMcpEndpoint } from './endpoint.ts'
import { TOOLS } from './tools.ts'

const endpoint = createMcpEndpoint({
  reading: fakeReading(),
  authenticate: async () => readCaller(),
  publicUrl: 'https://logs.example',
  version: '9.9.9',
  log: createLog('silent'),
})

/** Text, because an object literal would take `__proto__` for its prototype. */
async function send(method: string, params: string, headers: Record<string, string> = {}) {
  const response = await endpoint(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json', ...headers },
      body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`,
    }),
  )
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
  return (await response.json()) as any
}

const MODERN =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}'

describe.each(INHERITED_NAMES)('%s', (name) => {
  const text = JSON.stringify(name)

  it.each(TOOLS.map(({ definition }) => definition.name))('is an unknown argument of %s', async (tool) => {
    const params = `"name":"${tool}","arguments":{${text}:{"a":1}}`
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool }
    for (const { result, error } of [
      await send('tools/call', `{${params}}`),
      await send('tools/call', `{${params},${MODERN}}`, modern),
    ]) {
      // `__proto__` does not get as far as the tool.
      const told = result?.isError ? result.content[0].text : error?.code === -32_602 && error.message
      expect(told).toContain(`Argument ${name}: unknown to this tool.`)
    }
  })

  it('is no tool, no resource, no method and no prompt', async () => {
    for (const [method, params] of [
      ['tools/call', `{"name":${text},"arguments":{}}`],
      ['resources/read', `{"uri":${text}}`],
      ['prompts/get', `{"name":${text}}`],
      [name, '{}'],
    ] as const) {
      const { error } = await send(method, params)
      expect([-32_601, -32_602], method).toContain(error.code)
    }
  })

  it('is a wrong value where one of a few is taken', async () => {
    for (const [tool, argument] of [
      ['list_logs', 'order'],
      ['list_analyses', 'state'],
      ['list_analyses', 'sort'],
      ['list_deploys', 'status'],
      ['get_log_context', 'by'],
    ] as const) {
      const id = tool === 'get_log_context' ? '"id":"log_1",' : ''
      const { result } = await send('tools/call', `{"name":"${tool}","arguments":{${id}"${argument}":${text}}}`)
      expect(result.content[0].text).toContain(`Argument ${argument}: accepted is one of`)
    }
  })
})
