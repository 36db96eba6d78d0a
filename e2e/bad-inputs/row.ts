/** One bad input: what is sent, and the refusal that must come back. Bodies are built when their turn comes. */
export const CANARY = 'canary-that-must-not-be-stored'

export type Keys = Record<
  'ingest' | 'read' | 'revoked' | 'expired' | 'unknown' | 'mistyped' | 'ofDeletedProject',
  string
>

export type Sent = {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Sent in chunks, without a length. */
  chunked?: boolean
}

export type BadInput = {
  name: string
  send: (keys: Keys) => Sent
  status: number
  code: string
  /** The paths of all fields that must be named, in order. */
  fields?: string[]
  /** How many records are rejected, each with its own reason. */
  rejected?: number
  /** The error comes in OTLP's own form: the status code and a message. */
  answersProtobuf?: boolean
  allow?: string
}

type Refusal = Omit<BadInput, 'name' | 'send'>

export const INVALID: Refusal = { status: 400, code: 'invalid_request' }
export const TOO_LARGE: Refusal = { status: 413, code: 'body_too_large' }
export const UNSUPPORTED: Refusal = { status: 415, code: 'unsupported_media_type' }
export const UNAUTHORIZED: Refusal = { status: 401, code: 'unauthorized' }
export const FORBIDDEN: Refusal = { status: 403, code: 'forbidden' }

/** The request is valid except for its records, none of which can be accepted. */
export const allRejected = (records = 1): Refusal => ({ ...INVALID, rejected: records })

type Body = string | Buffer
type Headers = Record<string, string>

/** A body for the log door with a valid key. */
export function logs(name: string, refusal: Refusal, body: () => Body, headers: Headers = {}): BadInput {
  return {
    name: `logs: ${name}`,
    ...refusal,
    send: ({ ingest }) => ({
      path: '/v1/logs',
      headers: { authorization: `Bearer ${ingest}`, 'content-type': 'application/json', ...headers },
      body: body(),
    }),
  }
}

/** A valid deploy except for these fields; a field that is undefined is left out. */
export function deploy(name: string, changed: Record<string, unknown>, refusal: Refusal = INVALID): BadInput {
  return {
    name: `deploys: ${name}`,
    ...refusal,
    ...(refusal === INVALID ? { fields: Object.keys(changed) } : {}),
    send: (keys) => deployRequest(JSON.stringify({ ...goodDeploy(keys.ingest), ...changed })),
  }
}

/** A body for the deploy door as it is. */
export function deployBody(
  name: string,
  refusal: Refusal,
  body: (keys: Keys) => Body,
  headers: Headers = {},
): BadInput {
  return { name: `deploys: ${name}`, ...refusal, send: (keys) => deployRequest(body(keys), headers) }
}

export function goodDeploy(projectApiKey: string) {
  return { projectApiKey, sha: CANARY, environment: 'production', deployedAt: '2026-01-31T12:00:00Z' }
}

export const record = (fields: Record<string, unknown> = {}) => ({ message: CANARY, ...fields })

function deployRequest(body: Body, headers: Headers = {}): Sent {
  return { path: '/v1/deploys', headers: { 'content-type': 'application/json', ...headers }, body }
}
