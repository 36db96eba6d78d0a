/** What an answer of the service means for the batch that was sent. */
export type Answer = { status: number; retryAfter: string | null; location: string | null; body: string }

export type Outcome =
  | { kind: 'accepted'; rejected: { index: number; reason: string }[] }
  /** Send the same batch again; `afterMs` is null when the service did not say when. */
  | { kind: 'later'; afterMs: number | null; reason: string }
  | { kind: 'split'; reason: string }
  /** The id stands for other records: a copy of this process went on counting with the same ids. */
  | { kind: 'rename'; reason: string }
  | { kind: 'refused'; code: RefusedCode; reason: string }

type RefusedCode = 'key_refused' | 'batch_refused' | 'not_accepted'

/** Answers of the service, or of a proxy in front of it, after which sending again makes sense. */
export const LATER: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])
/** A service that asks for a longer wait is tried again after this. */
const MAX_RETRY_AFTER_MS = 3_600_000

export function judge(answer: Answer, url: string, nowMs: number): Outcome {
  const { status } = answer
  const body = parse(answer.body)
  if (status >= 200 && status < 300) {
    if (isAcknowledgement(body)) return { kind: 'accepted', rejected: rejectedIn(body) }
    // A sign-in page or a proxy's own words: nobody has said that the records are stored.
    const reason = `${url} answered ${status}, but not as a Tidemark service does: check url (TIDEMARK_URL)`
    return { kind: 'later', afterMs: null, reason }
  }
  const said = messageIn(body)
  const reason = `${url} answered ${status}${said === '' ? '' : `: ${said}`}`
  if (LATER.has(status)) return { kind: 'later', afterMs: retryAfterMs(answer.retryAfter, nowMs), reason }
  if (status === 413) return { kind: 'split', reason }
  if (status === 409 && errorCodeIn(body) === 'batch_changed') return { kind: 'rename', reason }
  return { kind: 'refused', code: codeOf(status), reason: `${reason} ${cureFor(answer, body)}`.trimEnd() }
}

function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1_000
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS)
}

function codeOf(status: number): RefusedCode {
  if (status === 401 || status === 403) return 'key_refused'
  if (status === 400) return 'batch_refused'
  return 'not_accepted'
}

function cureFor({ status, location }: Answer, body: unknown): string {
  if (status === 401) return 'Check ingestKey (TIDEMARK_INGEST_KEY): it is unknown, revoked or expired.'
  if (status === 403) return 'Check ingestKey (TIDEMARK_INGEST_KEY): sending needs an ingest key.'
  if (status === 404) return 'Check url (TIDEMARK_URL): it must be the address of a Tidemark service.'
  if (status >= 300 && status < 400) return `Set url (TIDEMARK_URL) to where it leads: ${location ?? 'unknown'}.`
  const [first] = rejectedIn(body)
  return first === undefined ? '' : `First reason: ${first.reason}`
}

function isAcknowledgement(body: unknown): boolean {
  return typeof (body as { accepted?: unknown } | null)?.accepted === 'number'
}

function rejectedIn(body: unknown): { index: number; reason: string }[] {
  const rejected = (body as { rejected?: unknown } | null)?.rejected
  return Array.isArray(rejected) ? rejected : []
}

function messageIn(body: unknown): string {
  const error = (body as { error?: { message?: unknown } } | null)?.error
  return typeof error?.message === 'string' ? error.message.slice(0, 500) : ''
}

function errorCodeIn(body: unknown): unknown {
  return (body as { error?: { code?: unknown } } | null)?.error?.code
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
