/**
 * What is written down of a call: which tool, prompt or resource, the names of its arguments, how long it took and how much
 * came back. Only names of our own are taken over; a caller could put anything in the place of one.
 */
import { isObject } from '@tidemark/wire/is-object'
import { AppError, type ErrorCode } from '../errors.ts'
import { type McpCall, NOTED_METHODS } from '../model/mcp-call.ts'
import { GUIDES } from './guide.ts'
import { PROMPTS } from './prompts.ts'
import { CallError } from './protocol-error.ts'
import type { Message } from './refused-messages.ts'
import { TEMPLATES, templateOf } from './resources.ts'
import { CHARACTERS_PER_TOKEN } from './text/shorten.ts'
import { TOOLS } from './tools.ts'

type Called = Pick<McpCall, 'method' | 'name' | 'arguments'>
type Size = Pick<McpCall, 'rows' | 'bytes' | 'tokens'>

type Answered = {
  content?: { text?: string }[]
  contents?: { text?: string }[]
  structuredContent?: Record<string, unknown>
}

/** For a call without an answer. */
const NOTHING: Size = { rows: null, bytes: 0, tokens: 0 }
/** Lists whose items are not rows: what to call next, and what is said about the question. */
const NO_ROWS = ['next', 'warnings', 'windows']

/** Runs a call and adds to `notes` what is written down of it, however it ends. */
export async function noted<Result extends object>(
  { message, notes, nowMs, signal }: { message: Message; notes: McpCall[]; nowMs: number; signal: AbortSignal },
  run: () => Promise<Result>,
): Promise<Result> {
  const called = calledBy(message)
  const beganMs = performance.now()
  const note = (size: Size, error: string | null) => {
    if (called === null) return
    const durationMs = Math.round(performance.now() - beganMs)
    // A client that has left gets no answer, whatever was made for it.
    const outcome = signal.aborted ? { ...NOTHING, error: 'cancelled' } : { ...size, error }
    notes.push({ ...called, ...outcome, atMs: nowMs, durationMs })
  }
  try {
    const result = await run()
    const { errorCode = null, ...shown } = result as Result & { errorCode?: ErrorCode }
    note(sizeOf(shown), errorCode)
    return result
  } catch (error) {
    note(NOTHING, codeOf(error))
    throw error
  }
}

/** What is written down of calls that were refused before they ran. */
export function refusedNotes(messages: readonly Message[], error: unknown, atMs: number): McpCall[] {
  const refused = { ...NOTHING, atMs, durationMs: 0, error: codeOf(error) }
  return messages.flatMap((message) => calledBy(message) ?? []).map((called) => ({ ...called, ...refused }))
}

/** Of a call that ran, and whose answer was then not given out. */
export function withheld(call: McpCall, error: unknown): McpCall {
  return { ...call, ...NOTHING, error: codeOf(error) }
}

/** Null for a message that leaves no note. */
function calledBy(message: Message): Called | null {
  const method = NOTED_METHODS.find((one) => one === message?.method)
  if (method === undefined) return null
  const { name, uri, ref, argument, arguments: args } = message?.params ?? {}
  switch (method) {
    case 'tools/call': {
      const tool = TOOLS.find(({ definition }) => definition.name === name)
      const known = Object.keys(tool?.definition.inputSchema.properties ?? {})
      return { method, name: tool?.definition.name ?? null, arguments: namesIn(args, known) }
    }
    case 'prompts/get': {
      const prompt = PROMPTS.find((one) => one.name === name)
      return { method, name: prompt?.name ?? null, arguments: namesIn(args, argumentsOf(prompt)) }
    }
    case 'resources/read': {
      const guide = GUIDES.find((one) => one.uri === uri)
      const template = typeof uri === 'string' ? templateOf(uri)?.template : undefined
      return { method, name: guide?.uri ?? template?.uriTemplate ?? null, arguments: [] }
    }
    case 'completion/complete': {
      const { name: promptName, uri: template } = isObject(ref) ? ref : {}
      const prompt = PROMPTS.find((one) => one.name === promptName)
      const uriTemplate = TEMPLATES.find((one) => one.uriTemplate === template)?.uriTemplate
      const known = prompt ? argumentsOf(prompt) : uriTemplate ? ['id'] : []
      const given = isObject(argument) && typeof argument.name === 'string' ? { [argument.name]: true } : {}
      return { method, name: prompt?.name ?? uriTemplate ?? null, arguments: namesIn(given, known) }
    }
  }
}

/** How much came back: in rows, as JSON, and in tokens as `maxTokens` counts them, of the larger form. */
function sizeOf(result: object): Size {
  const { structuredContent, ...rest } = result as Answered
  const structured = structuredContent === undefined ? '' : JSON.stringify(structuredContent)
  const other = JSON.stringify(rest)
  const text = (rest.content ?? rest.contents)?.reduce((sum, one) => sum + (one.text?.length ?? 0), 0)
  return {
    rows: structuredContent === undefined ? null : rowsIn(structuredContent),
    bytes: Buffer.byteLength(structured) + Buffer.byteLength(other),
    tokens: Math.ceil(Math.max(structured.length, text ?? other.length) / CHARACTERS_PER_TOKEN),
  }
}

/** Why a call failed, as a code of ours. */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof CallError) return error.errorCode
  return error instanceof AppError ? error.code : 'internal'
}

/** Of all lists of things that the answer has, beside those that belong to every answer. */
function rowsIn(answer: Record<string, unknown>): number | null {
  const lists = Object.entries(answer).flatMap(([name, value]) =>
    Array.isArray(value) && value.every(isObject) && !NO_ROWS.includes(name) ? [value.length] : [],
  )
  return lists.length === 0 ? null : lists.reduce((sum, length) => sum + length)
}

function namesIn(given: unknown, known: readonly string[]): string[] {
  return isObject(given) ? known.filter((name) => Object.hasOwn(given, name)) : []
}

function argumentsOf(prompt: { arguments: readonly { name: string }[] } | undefined): string[] {
  return prompt?.arguments.map(({ name }) => name) ?? []
}
