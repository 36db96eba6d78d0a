/**
 * The MCP server of one request: the protocol's methods over our tools, resources and prompts. Created for every request, because
 * it belongs to one caller and keeps nothing. Arguments are checked by the tools and not by the SDK, whose messages do
 * not say what is accepted.
 */
import { type ListToolsResult, Server } from '@modelcontextprotocol/server'
import type { McpCall } from '../model/mcp-call.ts'
import { noted } from './call-note.ts'
import { complete } from './complete.ts'
import { INSTRUCTIONS } from './guide.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { CallError, toCallError, unknownName } from './protocol-error.ts'
import type { Message } from './refused-messages.ts'
import { listResources, listTemplates, readResource, SAME_FOR_ALL } from './resources.ts'
import { asAppError, type ToolCall } from './tool.ts'
import type { ToolResult } from './tool-error.ts'
import { TOOLS } from './tools.ts'

const BY_NAME = new Map(TOOLS.map((tool) => [tool.definition.name, tool]))
const DEFINITIONS = TOOLS.map((tool) => tool.definition) as ListToolsResult['tools']

export type ServedCall = ToolCall & {
  version: string
  /** Every tool call that has begun, so that its place can be held until its query has ended. */
  running: Promise<unknown>[]
  /** What is written down of each call, once it has ended. */
  notes: McpCall[]
}

export function createServer(call: ServedCall): Server {
  const server = new Server(
    { name: 'tidemark', title: 'Tidemark', version: call.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'server/discover': SAME_FOR_ALL,
        'tools/list': SAME_FOR_ALL,
        'prompts/list': SAME_FOR_ALL,
        'resources/list': SAME_FOR_ALL,
        'resources/templates/list': SAME_FOR_ALL,
      },
    },
  )
  /** Runs until its query has ended, whether or not somebody still waits for it. */
  async function running<Result extends object>(
    message: Message & { method: string },
    signal: AbortSignal,
    run: (call: ToolCall) => Promise<Result>,
  ): Promise<Result> {
    const own = { ...call, signal: AbortSignal.any([call.signal, signal]) }
    const result = noted({ ...own, message }, () => run(own))
    call.running.push(result)
    try {
      return await result
    } catch (error) {
      throw error instanceof CallError ? error : toCallError(asAppError(error, message.method, own))
    }
  }
  server.setRequestHandler('tools/list', () => ({ tools: DEFINITIONS }))
  server.setRequestHandler('tools/call', async ({ method, params }, { mcpReq }) => {
    const result = await running({ method, params }, mcpReq.signal, async (own) => {
      const tool = BY_NAME.get(params.name)
      if (!tool) throw unknownName('tool', params.name, [...BY_NAME.keys()])
      return tool.call(own, params.arguments ?? {})
    })
    const { errorCode: _, ...shown } = result
    return shown as ToolResult & { structuredContent: Record<string, unknown> }
  })
  server.setRequestHandler('resources/list', listResources)
  server.setRequestHandler('resources/templates/list', listTemplates)
  server.setRequestHandler('resources/read', ({ method, params }, { mcpReq }) =>
    running({ method, params }, mcpReq.signal, (own) => readResource(own, params.uri)),
  )
  server.setRequestHandler('prompts/list', listPrompts)
  server.setRequestHandler('prompts/get', ({ method, params }, { mcpReq }) =>
    running({ method, params }, mcpReq.signal, async () => getPrompt(params.name, params.arguments)),
  )
  server.setRequestHandler('completion/complete', ({ method, params }, { mcpReq }) =>
    running({ method, params }, mcpReq.signal, (own) => complete(own, params)),
  )
  return server
}
