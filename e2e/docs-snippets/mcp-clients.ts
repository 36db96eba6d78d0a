/**
 * Configurations of MCP clients, read as each client reads them: under which name the address is, how a variable is
 * written, what a command line means. The resulting address and header are then really used.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { parseToml } from './plain-toml.ts'
import type { ProgramCall, Reader } from './reader.ts'

type Json = Record<string, unknown>
type Connection = { url: string; authorization: string }
type Client = { servers: string; address: string; variable: RegExp; type?: string }

/** By the heading in the document. */
const CLIENTS: Record<string, Client> = {
  'Claude Code': { servers: 'mcpServers', address: 'url', type: 'http', variable: /\$\{(\w+)\}/ },
  'Claude Desktop': { servers: 'mcpServers', address: '', variable: /$^/ },
  'tidemark mcp': { servers: 'mcpServers', address: '', variable: /$^/ },
  Cursor: { servers: 'mcpServers', address: 'url', variable: /\$\{env:(\w+)\}/ },
  'VS Code': { servers: 'servers', address: 'url', type: 'http', variable: /\$\{input:([\w-]+)\}/ },
  Windsurf: { servers: 'mcpServers', address: 'serverUrl', variable: /\$\{env:(\w+)\}/ },
  'Gemini CLI': { servers: 'mcpServers', address: 'httpUrl', variable: /\$\{?(\w+)\}?/ },
  Zed: { servers: 'context_servers', address: 'url', variable: /$^/ },
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'docs', version: '1' } },
}

export async function tryJsonConfiguration(heading: string, config: Json, reader: Reader): Promise<void> {
  const client = CLIENTS[heading]
  if (!client) throw new Error(`No rule says how the client "${heading}" reads its configuration.`)
  const servers = Object.values((config[client.servers] ?? {}) as Record<string, Json>)
  expect(servers, `${client.servers} of ${heading}`).toHaveLength(1)
  for (const server of servers) {
    if ('command' in server) await tryProgram(server, reader)
    else await tryConnection(connectionOf(client, server, config, reader), reader)
  }
}

export async function tryTomlConfiguration(text: string, reader: Reader): Promise<void> {
  const servers = Object.values((parseToml(text).mcp_servers ?? {}) as Record<string, Json>)
  expect(servers).toHaveLength(1)
  for (const { url, bearer_token_env_var: variable } of servers) {
    expect(variable).toBe('TIDEMARK_READ_KEY')
    await tryConnection({ url: String(url), authorization: `Bearer ${reader.readKey}` }, reader)
  }
}

/** `claude mcp add`, `codex mcp add` and `gemini mcp add`. */
export async function tryProgramCall({ program, args, readKey }: ProgramCall, reader: Reader): Promise<void> {
  const { options, words } = readArguments(args)
  expect(words.slice(0, 3), program).toEqual(['mcp', 'add', 'tidemark'])
  if (program === 'codex') {
    expect(options).toEqual({ url: expect.any(String), 'bearer-token-env-var': 'TIDEMARK_READ_KEY' })
    return tryConnection({ url: options.url ?? '', authorization: `Bearer ${readKey}` }, reader)
  }
  expect(options).toMatchObject({ transport: 'http', header: expect.stringMatching(/^Authorization: /) })
  const authorization = (options.header ?? '').replace(/^Authorization: /, '')
  return tryConnection({ url: words[3] ?? '', authorization }, reader)
}

function connectionOf(client: Client, server: Json, config: Json, reader: Reader): Connection {
  const { [client.address]: url, headers, type, ...others } = server
  expect({ others, type }, 'nothing that the client does not know').toEqual({ others: {}, type: client.type })
  const { Authorization: authorization = '' } = headers as Record<string, string>
  const known: Record<string, string | undefined> = { TIDEMARK_READ_KEY: reader.readKey }
  for (const input of (config.inputs ?? []) as { id: string; password: boolean }[]) {
    expect(input).toMatchObject({ type: 'promptString', password: true })
    known[input.id] = reader.readKey
  }
  const filled = authorization.replace(client.variable, (_, name: string) => known[name] ?? `unknown ${name}`)
  return { url: String(url), authorization: filled }
}

async function tryConnection({ url, authorization }: Connection, reader: Reader): Promise<void> {
  expect(url).toBe(`${reader.url}/mcp`)
  expect(authorization).toMatch(/^Bearer tidemark_read_\w+$/)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization },
    body: JSON.stringify(INITIALIZE),
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ result: { serverInfo: { name: 'tidemark' } } })
}

/** A client that starts a program gives it little of its own environment. */
async function tryProgram({ command, args, env, ...others }: Json, reader: Reader): Promise<void> {
  expect(others).toEqual({})
  const child = spawn(String(command), args as string[], {
    env: { PATH: process.env.PATH, HOME: reader.filled('/home/me'), ...(env as Record<string, string>) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  child.stdin.end(`${JSON.stringify(INITIALIZE)}\n`)
  const [code] = await once(child, 'close')
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/error/i) })
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ id: 1, result: { serverInfo: { name: 'tidemark' } } }])
}

function readArguments(args: readonly string[]): { options: Record<string, string>; words: string[] } {
  const options: Record<string, string> = {}
  const words: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg.startsWith('-')) options[arg.replace(/^-+/, '')] = args[++at] ?? ''
    else words.push(arg)
  }
  return { options, words }
}
