/** The official clients of both lines, connected as an agent's host connects them: an address and a bearer key. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { onTestFinished } from 'vitest'

type ToolAnswer = {
  isError?: boolean
  content: { type: string; text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
  structuredContent: any
}

type AnyClient = {
  listTools(): Promise<{ tools: { name: string; annotations?: unknown; outputSchema?: unknown }[] }>
  callTool(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>
  listResources(): Promise<{ resources: { uri: string }[] }>
  readResource(uri: string): Promise<{ contents: object[] }>
  listPrompts(): Promise<{ prompts: { name: string }[] }>
  getPrompt(name: string, args?: Record<string, string>): Promise<{ messages: { content: object }[] }>
  /** What a prompt offers for an argument. */
  complete(prompt: string, argument: string, value: string): Promise<string[]>
  serverName(): string | undefined
}

export const CLIENTS = ['the first client', 'the second client', 'the second client that negotiates'] as const
type ClientKind = (typeof CLIENTS)[number]

const INFO = { name: 'end to end', version: '1.0.0' }

/** Rejects when the key is refused. Closed at the end of the test. */
export async function connect(kind: ClientKind, url: string, key: string): Promise<AnyClient> {
  const address = new URL('/mcp', url)
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  if (kind === 'the first client') {
    const client = new FirstClient(INFO)
    // The SDK's own types disagree under exactOptionalPropertyTypes.
    await client.connect(new FirstTransport(address, { requestInit }) as Transport)
    // It has the same methods; only the types of what it answers are older.
    return spoken(client as unknown as Client)
  }
  const negotiates = kind === 'the second client that negotiates'
  const client = new Client(INFO, negotiates ? { versionNegotiation: { mode: 'auto' } } : {})
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }))
  return spoken(client)
}

function spoken(client: Client): AnyClient {
  onTestFinished(() => client.close())
  return {
    listTools: () => client.listTools(),
    callTool: (name, args = {}) => client.callTool({ name, arguments: args }) as Promise<ToolAnswer>,
    listResources: () => client.listResources(),
    readResource: (uri) => client.readResource({ uri }),
    listPrompts: () => client.listPrompts(),
    getPrompt: (name, args = {}) => client.getPrompt({ name, arguments: args }),
    complete: async (name, argument, value) => {
      const asked = { ref: { type: 'ref/prompt', name }, argument: { name: argument, value } } as const
      return (await client.complete(asked)).completion.values
    },
    serverName: () => client.getServerVersion()?.name,
  }
}

/** One message by hand. */
export function post(url: string, key: string | null, message: unknown, headers: Record<string, string> = {}) {
  return fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
}

export function rpc(method: string, params: unknown = {}) {
  return { jsonrpc: '2.0', id: 1, method, params }
}
