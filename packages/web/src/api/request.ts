/** The one way to the API of the service: same origin, JSON, the header that proves the request came from one of our pages. */
import type { ErrorAnswer } from '@tidemark/wire/error'
import { RETRYABLE_STATUSES } from '@tidemark/wire/retryable'
import type { Asked, AskedAhead } from './asked-ahead.ts'

type FieldProblem = { path: string; message: string; from?: number | undefined; to?: number | undefined }

export class RequestError extends Error {
  readonly code: string
  /** 0 when the service did not answer at all, or nothing that can be read. */
  readonly status: number
  readonly fields: readonly FieldProblem[]

  constructor(status: number, code: string, message: string, fields: readonly FieldProblem[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
  }

  field(path: string): string | undefined {
    return this.fields.find((field) => field.path === path)?.message
  }
}

type Options = { method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; body?: unknown; signal?: AbortSignal }

/**
 * Placeholder data for a query whose key is `['project', projectId, …]`: the previous answer, unless it is from another
 * project. Pages stay mounted when the project changes, so `keepPreviousData` would show the records of that one.
 */
export function keepOfProject(projectId: string) {
  return <Data>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    query?.queryKey[1] === projectId ? previous : undefined
}

const FROM_OUR_PAGES = { 'X-Requested-With': 'tidemark' }

export async function request<Answer>(path: string, { method = 'GET', body, signal }: Options = {}): Promise<Answer> {
  const init = {
    method,
    headers: { ...FROM_OUR_PAGES, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }
  const text = await heard(takeAhead(path, init) ?? sent(path, init).then(readText))
  return readAnswer(text) as Answer
}

/** What is in between, such as a proxy, may answer 200 with a page of its own. */
function readAnswer(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError(0, 'unreadable', 'The answer of the service cannot be read. Try again in a moment.')
  }
}

/** For an answer that is read as it comes: `heard` around every step of that. */
export async function answerTo(path: string, init: RequestInit): Promise<Response> {
  const response = await heard(sent(path, init))
  if (!response.ok) throw toError(response.status, await heard(response.text()))
  return response
}

let held: Promise<void> = Promise.resolve()

/** Until then nothing more is asked for: what the service does for it would slow down what is being drawn. */
export function holdRequests(until: Promise<void>): void {
  held = until
}

async function sent(path: string, init: RequestInit): Promise<Response> {
  await held
  return fetch(path, { credentials: 'same-origin', ...init })
}

async function readText(response: Response): Promise<string> {
  const text = await response.text()
  if (!response.ok) throw toError(response.status, text)
  return text
}

async function textOf({ answer }: Asked): Promise<string> {
  const { ok, status, text } = await answer
  if (!ok) throw toError(status, text)
  return text
}

/** An answer that was asked for longer ago may no longer be true. */
export const AHEAD_FRESH_MS = 30_000
const ahead = new Map<string, Asked>()

/** Each answer is given once, to whoever asks first for the same. */
export function takeAnswers(asked: AskedAhead): void {
  for (const [path, one] of asked) ahead.set(path, one)
}

/** Whether the answer to something else than this is on its way. */
export const isAskedAheadBeside = (path: string): boolean => [...ahead.keys()].some((asked) => asked !== path)

function takeAhead(path: string, { method, signal }: RequestInit): Promise<string> | undefined {
  // After a change, a sign-out above all, what was asked before it may be another person's.
  if (method !== 'GET') ahead.clear()
  const asked = ahead.get(path)
  ahead.delete(path)
  if (asked === undefined || Date.now() - asked.atMs > AHEAD_FRESH_MS) return undefined
  const stop = () => asked.asking.abort()
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
  return textOf(asked)
}

/** Each browser has its own words for a connection that fails or breaks. They help nobody, so ours replace them. */
export async function heard<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RequestError || (error instanceof DOMException && error.name === 'AbortError')) throw error
    throw new RequestError(0, 'no_answer', 'The service does not answer. Check that it is running, then try again.')
  }
}

function toError(status: number, text: string): RequestError {
  try {
    const { error } = JSON.parse(text) as ErrorAnswer
    return new RequestError(status, error.code, error.message, error.fields)
  } catch {
    return new RequestError(status, 'unexpected', `The service answered with status ${status}. Try again in a moment.`)
  }
}

/** Returns true if a field of the form already shows the error, perhaps without its subject ("The password must …"). */
export const isToldByField = (error: Error): boolean =>
  error instanceof RequestError &&
  error.fields.some(({ message }) => withoutStop(error.message).endsWith(withoutStop(message)))

const withoutStop = (text: string) => text.replace(/\.$/, '')

/** What may go away by itself: no answer, and the answers after which the same request may succeed. */
export const mayComeBack = (error: unknown): error is RequestError =>
  error instanceof RequestError && (error.status === 0 || RETRYABLE_STATUSES.includes(error.status))

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof RequestError && error.status === status
