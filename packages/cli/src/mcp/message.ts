/** As much of JSON-RPC as a bridge has to know. */
import { isObject } from '@tidemark/wire/is-object'

export type Id = string | number
export type Message = {
  jsonrpc: '2.0'
  id?: Id | null
  method?: string
  params?: unknown
  result?: unknown
  error?: unknown
}

/** One revision of the protocol allows several messages in an array. */
export function messagesIn(body: unknown): Message[] {
  return [body].flat().filter((one) => isObject(one)) as Message[]
}

/** The ids that somebody waits for. Notifications have none, and answers of the client ask for nothing. */
export function answerable(body: unknown): Id[] {
  return messagesIn(body).flatMap(({ id, method }) =>
    method !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : [],
  )
}

export function errorMessage(id: Id | null, code: number, message: string, data?: unknown): Message {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
}
