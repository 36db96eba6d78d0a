/**
 * What a page shows first is begun when its document is asked for: the browser's own request for it comes a moment
 * later, and finds it half made. The service asks itself in the name of that session, through the same route, and the
 * request that takes the answer passes the same checks as any other, so nobody gets what they could not ask for.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** An answer that was begun longer ago may no longer be true. */
const FRESH_MS = 5_000
/** Each is kept in memory until it is taken or too old. */
const MAX_BEGUN = 32
const MARK_HEADER = 'x-tidemark-begun'

type Begun = { answer: Promise<string | null>; atMs: number }
type Options = { tokenOf: (request: FastifyRequest) => string | undefined; now?: () => number }

export class BegunAnswers {
  readonly #tokenOf: Options['tokenOf']
  readonly #now: () => number
  /** Nobody else knows it. A request with it takes nothing: it would wait for itself. */
  readonly #mark = randomUUID()
  readonly #begun = new Map<string, Begun>()

  constructor({ tokenOf, now = Date.now }: Options) {
    this.#tokenOf = tokenOf
    this.#now = now
  }

  /** Whether it is still good is found out by whoever asks with it. */
  hasSession(request: FastifyRequest): boolean {
    return this.#tokenOf(request) !== undefined
  }

  /** Not for a document that nobody may ever look at. */
  begin(routes: FastifyInstance, document: FastifyRequest, path: string): void {
    const { cookie, host = '', 'sec-purpose': purpose } = document.headers
    const key = this.#keyOf(document, path)
    this.#forgetOld()
    if (key === null || cookie === undefined || document.method !== 'GET' || purpose !== undefined) return
    if (this.#begun.size >= MAX_BEGUN) return
    const answer = routes.inject({ url: path, headers: { cookie, host, [MARK_HEADER]: this.#mark } }).then(
      ({ statusCode, payload }) => (statusCode === 200 ? payload : null),
      () => null,
    )
    this.#begun.set(key, { answer, atMs: this.#now() })
  }

  /** The text of the answer, once. Null when none was begun, or when that failed: then whoever asks is told why. */
  async take(request: FastifyRequest): Promise<string | null> {
    const key = request.headers[MARK_HEADER] === this.#mark ? null : this.#keyOf(request, request.url)
    this.#forgetOld()
    const begun = key === null ? undefined : this.#begun.get(key)
    if (key === null || begun === undefined) return null
    this.#begun.delete(key)
    return await begun.answer
  }

  #keyOf(request: FastifyRequest, path: string): string | null {
    const token = this.#tokenOf(request)
    return token === undefined ? null : `${token} ${asBrowsersWrite(path)}`
  }

  #forgetOld(): void {
    for (const [key, { atMs }] of this.#begun) if (this.#now() - atMs > FRESH_MS) this.#begun.delete(key)
  }
}

/** They write an apostrophe as `%27`, for one. */
function asBrowsersWrite(path: string): string {
  const { pathname, search } = new URL(path, 'http://localhost')
  return pathname + search
}
