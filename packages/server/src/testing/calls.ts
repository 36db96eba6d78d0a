import type { McpCall } from '../model/mcp-call.ts'

/** A call as an agent makes many, but for what is given. */
export function callOf(call: Partial<McpCall>): McpCall {
  return {
    atMs: Date.UTC(2026, 10, 15, 12),
    method: 'tools/call',
    name: 'list_deploys',
    arguments: [],
    durationMs: 12,
    rows: null,
    bytes: 2_048,
    tokens: 256,
    error: null,
    ...call,
  }
}
