/**
 * What is refused before the SDK sees it, because it would answer wrongly, with a changed id, in words that do not say
 * what is accepted, or not at all.
 */
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { isObject } from '@tidemark/wire/is-object'
import { INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, VERSION_FIELD } from '@tidemark/wire/json-rpc'
import { harmlessText } from '@tidemark/wire/text/stranger-text'
import { protocolRefusal } from './refusal.ts'
import { shortenText } from './text/shorten.ts'

type Params = {
  name?: unknown
  arguments?: unknown
  uri?: unknown
  cursor?: unknown
  ref?: unknown
  _meta?: unknown
  argument?: unknown
} | null
export type Message = { id?: unknown; method?: unknown; params?: Params } | null

/** Of both eras, newest first. */
const STATELESS_VERSION = '2026-07-28'
const PROTOCOL_VERSIONS: readonly string[] = [STATELESS_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS]
/** Messages in one body, which an older revision allows. At the limit: refused whole. */
const MAX_BATCH = 8
const MAX_VERSION_CHARACTERS = 32
const UNSUPPORTED_VERSION = -32_022

/** Undefined when the messages may be served. */
export function refusedMessages(messages: readonly Message[], version: string | null): Response | undefined {
  if (messages.length > MAX_BATCH) {
    return protocolRefusal(400, INVALID_REQUEST, `At most ${MAX_BATCH} messages go into one request.`)
  }
  if (messages.some((message) => typeof message?.id === 'number' && !Number.isSafeInteger(message.id))) {
    const sentence = 'Invalid request: an id is a text, or a whole number of at most 2^53 - 1. Send it as text.'
    return protocolRefusal(400, INVALID_REQUEST, sentence)
  }
  const ids = messages.flatMap((message) => (idOf(message) === null ? [] : [idOf(message)]))
  if (new Set(ids).size < ids.length) {
    return protocolRefusal(400, INVALID_REQUEST, 'Invalid request: two messages have the same id. Give each its own.')
  }
  const only = messages.length === 1 ? idOf(messages[0]) : null
  if (version !== null && !PROTOCOL_VERSIONS.includes(version)) {
    return unsupported(version, only, messages.some(isStateless) ? [STATELESS_VERSION] : PROTOCOL_VERSIONS)
  }
  // An open stream would outlive the check of its key; nothing here changes in a way worth listening for.
  const listen = messages.find((message) => message?.method === 'subscriptions/listen')
  if (listen) {
    const sentence = 'Method not found: this server has no subscriptions.'
    return protocolRefusal(404, METHOD_NOT_FOUND, sentence, idOf(listen))
  }
  // The SDK silently drops this name, so the tools, which refuse every other unknown one, would never see it.
  const dropped = messages.find((message) => hasOwn(message?.params?.arguments, '__proto__'))
  if (dropped) {
    const sentence = 'Invalid params. Argument __proto__: unknown to this tool. Leave it out.'
    return protocolRefusal(400, INVALID_PARAMS, sentence, idOf(dropped))
  }
  const wrong = messages.find((message) => paramsProblem(message) !== undefined)
  if (!wrong) return undefined
  return protocolRefusal(400, INVALID_PARAMS, `Invalid params: ${paramsProblem(wrong)}`, idOf(wrong))
}

/** The SDK reports some of these as a server failure, and the others in its validator's words. */
function paramsProblem(message: Message): string | undefined {
  const { name, uri, cursor, arguments: args } = message?.params ?? {}
  switch (message?.method) {
    case 'tools/call':
      if (typeof name !== 'string') return 'name is the name of a tool, as tools/list has it.'
      return args === undefined || isObject(args)
        ? undefined
        : 'arguments is an object; leave it out when there are none.'
    case 'resources/read':
      return typeof uri === 'string' ? undefined : 'uri is a text, as resources/list has it.'
    case 'prompts/get':
      if (typeof name !== 'string') return 'name is the name of a prompt, as prompts/list has it.'
      return args === undefined || (isObject(args) && Object.values(args).every((one) => typeof one === 'string'))
        ? undefined
        : 'arguments is an object whose values are texts; leave it out when there are none.'
    case 'completion/complete':
      return completionProblem(message.params ?? {})
    case 'tools/list':
    case 'prompts/list':
    case 'resources/list':
    case 'resources/templates/list':
      return cursor === undefined || typeof cursor === 'string' ? undefined : 'cursor is a text; leave it out.'
    default:
      return undefined
  }
}

function completionProblem({ ref, argument }: NonNullable<Params>): string | undefined {
  const isPrompt = isObject(ref) && ref.type === 'ref/prompt' && typeof ref.name === 'string'
  const isTemplate = isObject(ref) && ref.type === 'ref/resource' && typeof ref.uri === 'string'
  if (!isPrompt && !isTemplate) {
    return 'ref is { "type": "ref/prompt", "name" } or { "type": "ref/resource", "uri" }, as the lists have them.'
  }
  return isObject(argument) && typeof argument.name === 'string' && typeof argument.value === 'string'
    ? undefined
    : 'argument is { "name", "value" }, both texts.'
}

/** What can be asked without `initialize` is what server/discover names; the words name all. */
function unsupported(version: string, id: string | number | null, supported: readonly string[]): Response {
  const requested = shortenText(harmlessText(version), MAX_VERSION_CHARACTERS)
  const sentence = `Unsupported protocol version in MCP-Protocol-Version. Supported: ${PROTOCOL_VERSIONS.join(', ')}.`
  return protocolRefusal(400, UNSUPPORTED_VERSION, sentence, id, { supported, requested })
}

function isStateless(message: Message): boolean {
  return hasOwn(message?.params?._meta, VERSION_FIELD)
}

export function idOf(message: Message | undefined): string | number | null {
  const id = message?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function hasOwn(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
}
