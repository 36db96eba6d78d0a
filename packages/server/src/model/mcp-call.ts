/** The methods of MCP that leave a note: those that give out something of a project. */
export const NOTED_METHODS = ['tools/call', 'resources/read', 'prompts/get', 'completion/complete'] as const

type NotedMethod = (typeof NOTED_METHODS)[number]

/**
 * What is kept of one call over MCP. Never what it was about: no value of an argument, nothing of the answer, and no name
 * that is not one of ours, because a caller could write anything there.
 */
export type McpCall = {
  atMs: number
  method: NotedMethod
  /** Of the tool, the prompt, the guide or the template; null when there is none of the name that was asked for. */
  name: string | null
  /** The names of the arguments that were given. */
  arguments: string[]
  durationMs: number
  /** Entries in the answer's own lists; null when it has none. */
  rows: number | null
  /** Of the answer as JSON, both forms of it together. */
  bytes: number
  /** Of the larger form, estimated as for `maxTokens`. */
  tokens: number
  /** A code of ours, or `cancelled` when the client left before the answer; null when all went well. */
  error: string | null
}
