/**
 * The MCP server of one request: the protocol's methods over our tools and guides. Created for every request, because
 * it belongs to one caller and keeps nothing. Arguments are checked by the tools and not by the SDK, whose messages do
 * not say what is accepted.
 */
import { type ListToolsResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { nearestNames } from '@tidemark/wire/query/nearest-names'
import { HOUR_MS } from '@tidemark/wire/time/units'
import { GUIDES, INSTRUCTIONS } from './guide.ts'
import { neutralize } from './text/neutralize.ts'
import { shortenText } from './text/shorten.ts'
import type { ToolCall } from './tool.ts'
import type { ToolResult } from './tool-error.ts'
import { TOOLS } from './tools.ts'

const BY_NAME = new Map(TOOLS.map((tool) => [tool.definition.name, tool]))
const DEFINITIONS = TOOLS.map((tool) => tool.definition) as ListToolsResult['tools']
/** The same for every key and every day of one version. */
const CACHE = { ttlMs: HOUR_MS, cacheScope: 'public' } as const

export type ServedCall = ToolCall & {
  version: string
  /** Every tool call that has begun, so that its place can be held until its query has ended. */
  running: Promise<unknown>[]
}

export function createServer(call: ServedCall): Server {
  const server = new Server(
    { name: 'tidemark', title: 'Tidemark', version: call.version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': CACHE, 'resources/list': CACHE, 'resources/read': CACHE, 'server/discover': CACHE },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: DEFINITIONS }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const tool = BY_NAME.get(params.name)
    if (!tool) throw unknownTool(params.name)
    const signal = AbortSignal.any([call.signal, mcpReq.signal])
    const result = tool.call({ ...call, signal }, params.arguments ?? {})
    call.running.push(result)
    return result as Promise<ToolResult & { structuredContent: Record<string, unknown> }>
  })
  server.setRequestHandler('resources/list', () => ({
    resources: GUIDES.map(({ text: _, ...guide }) => ({ ...guide, mimeType: 'text/markdown' })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params }) => {
    const guide = GUIDES.find(({ uri }) => uri === params.uri)
    if (!guide) {
      const known = GUIDES.map(({ uri }) => uri).join(', ')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such resource. There are: ${known}`)
    }
    return { contents: [{ uri: guide.uri, mimeType: 'text/markdown', text: guide.text }] }
  })
  return server
}

function unknownTool(name: string): ProtocolError {
  const names = [...BY_NAME.keys()]
  const [nearest] = nearestNames(name.slice(0, 64), names, 1)
  const hint = nearest === undefined ? `There are: ${names.join(', ')}` : `Did you mean ${nearest}?`
  const shown = shortenText(neutralize(name), 64)
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${shown}. ${hint}`)
}
