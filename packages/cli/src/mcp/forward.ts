import { isObject } from '@tidemark/wire/is-object'
import { SERVER_ERROR, VERSION_FIELD } from '@tidemark/wire/json-rpc'
import { ADDRESS_SETTING, type Connection } from '../client/connection.ts'
import { type Answer, type Retrying, request } from '../client/request.ts'
import { answerable, errorMessage, type Id, type Message, messagesIn } from './message.ts'

/** The answer to the message, or undefined when it needs none. Throws when the service cannot be reached. */
export type Forward = (body: unknown, signal: AbortSignal) => Promise<unknown>

const UNAUTHORIZED = -32_001
/** An agent that waits needs to know soon. */
const RETRYING: Retrying = { patienceMs: 10_000, attemptMs: 120_000 }

/** Remembers the version that `initialize` agreed on: the older revisions send it once, HTTP needs it every time. */
export function forwardTo({ url, key }: Connection, retrying: Retrying = RETRYING): Forward {
  let agreedVersion: string | undefined
  return async (body, signal) => {
    const answer = await request(
      {
        method: 'POST',
        url: `${url}/mcp`,
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          // Whole answers only: a stream that reports progress would have to be passed on message by message.
          Accept: 'application/json',
          ...protocolHeaders(body, agreedVersion),
        },
        body: JSON.stringify(body),
        signal,
      },
      retrying,
    )
    const [message] = messagesIn(body)
    if (message?.method === 'initialize') agreedVersion = versionIn(answer.body) ?? agreedVersion
    const ids = answerable(body)
    if (ids.length === 0 || answer.status === 202) return undefined
    return isProtocol(answer.body) ? withIds(answer.body, ids) : refusals(answer, ids, Array.isArray(body))
  }
}

/** A request of the stateless revision names its version itself and repeats method and name as headers. */
export function protocolHeaders(body: unknown, agreedVersion: string | undefined): Record<string, string> {
  const [message] = messagesIn(body)
  const params = isObject(message?.params) ? message.params : {}
  const meta = isObject(params._meta) ? params._meta : {}
  const version = meta[VERSION_FIELD]
  if (typeof version !== 'string') {
    const isFirst = message?.method === 'initialize'
    return agreedVersion === undefined || isFirst ? {} : { 'MCP-Protocol-Version': agreedVersion }
  }
  const name = message?.method === 'resources/read' ? params.uri : params.name
  return {
    'MCP-Protocol-Version': headerText(version),
    ...(message?.method !== undefined && { 'Mcp-Method': headerText(message.method) }),
    ...(typeof name === 'string' && { 'Mcp-Name': headerText(name) }),
  }
}

/** Headers carry visible ASCII; anything else is sent in the protocol's own encoding. */
function headerText(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/i.test(text)
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

function versionIn(body: unknown): string | undefined {
  const result = isObject(body) && isObject(body.result) ? body.result : {}
  return typeof result.protocolVersion === 'string' ? result.protocolVersion : undefined
}

function isProtocol(body: unknown): boolean {
  const messages = messagesIn(body)
  return messages.length > 0 && messages.every(({ jsonrpc }) => jsonrpc === '2.0')
}

/** An answer from before the message was read has no id; only one message can be meant. */
function withIds(body: unknown, ids: Id[]): unknown {
  if (!isObject(body) || (body.id !== null && body.id !== undefined)) return body
  return { ...body, id: ids[0] }
}

function refusals({ status, body }: Answer, ids: Id[], isBatch: boolean): Message | Message[] {
  const told = isObject(body) && isObject(body.error) ? body.error : {}
  const said = typeof told.message === 'string' ? told.message : `check that ${ADDRESS_SETTING} is a Tidemark service.`
  const isKey = status === 401 || status === 403
  const text = `${isKey ? 'The read key was refused' : 'The service did not answer the request'} (${status}): ${said}`
  const data = { status, ...(typeof told.code === 'string' && { code: told.code }) }
  const messages = ids.map((id) => errorMessage(id, isKey ? UNAUTHORIZED : SERVER_ERROR, text, data))
  return isBatch ? messages : (messages[0] as Message)
}
