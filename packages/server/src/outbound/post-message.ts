/**
 * Posts a small JSON document to an address that a member chose. The host is checked at every post and the connection
 * goes to an address that was checked; redirects are not followed, nothing waits for long, and of the answer only a
 * beginning is read. Errors are described in our own words.
 */
import { type RequestOptions as HttpOptions, request as requestHttp } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'
import { tlsTrouble } from '@tidemark/wire/tls-trouble'
import { AppError } from '../errors.ts'
import { type AddressGuard, leadTo } from './address-guard.ts'

const TIMEOUT_MS = 10_000
/** Of the answer; what follows is not waited for. */
const MAX_ANSWER_BYTES = 2 * 1024

/** `text`: the beginning of the answer, a stranger's. `retryAfterMs`: as the receiver asked; null when it did not. */
export type PostAnswer = { status: number; text: string; retryAfterMs: number | null }

/** Rejects with what was in the way when there is no answer. */
export type PostMessage = (
  url: URL,
  message: { headers: Record<string, string>; body: string; signal?: AbortSignal | undefined },
) => Promise<PostAnswer>

type Options = {
  checkHost: AddressGuard
  timeoutMs?: number
  /** For tests: whom to trust. */
  connection?: Pick<RequestOptions, 'ca'>
}

export function createPostMessage({ checkHost, timeoutMs = TIMEOUT_MS, connection }: Options): PostMessage {
  return async (url, { headers, body, signal }) => {
    const [address = ''] = await checkHost(url.hostname)
    const timeout = AbortSignal.timeout(timeoutMs)
    const options: RequestOptions = {
      ...connection,
      method: 'POST',
      // A new connection each time: a kept one may lead to an address that was checked for somebody else.
      agent: false,
      lookup: leadTo(address),
      headers: { ...headers, 'User-Agent': 'Tidemark', 'Content-Length': String(Buffer.byteLength(body)) },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    }
    return post(url, options, body)
  }
}

function post(url: URL, options: RequestOptions, body: string): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const sent = request(url, options as HttpOptions, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const end = () => {
        const text = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8')
        resolve({ status: response.statusCode ?? 0, text, retryAfterMs: retryAfterOf(response.headers['retry-after']) })
        response.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        chunks.push(chunk)
        if (bytes > MAX_ANSWER_BYTES) end()
      })
      response.once('end', end)
      // The status has arrived: whether it was taken is known, however the rest goes.
      response.once('error', end)
    })
    sent.once('error', (cause: NodeJS.ErrnoException) => reject(notReached(url, cause)))
    sent.end(body)
  })
}

/** Only seconds: a date would trust the receiver's clock. */
function retryAfterOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null
}

function notReached({ host }: URL, cause: NodeJS.ErrnoException): AppError {
  const { code = '', name } = cause
  const trouble = tlsTrouble(code)
  const words =
    WORDS.get(code) ??
    WORDS.get(name) ??
    (trouble && `${TLS_WORDS[trouble]} (${code})`) ??
    `it could not be reached (${code || 'unknown error'})`
  const cure =
    trouble === 'certificate'
      ? 'Check its certificate, or name its authority in NODE_EXTRA_CA_CERTS of the service.'
      : 'Check the address of the channel.'
  return new AppError('unavailable', `The message to ${host} was not delivered: ${words}. ${cure}`, { cause })
}

const TLS_WORDS = {
  certificate: 'its certificate is not trusted',
  handshake: 'the connection could not be encrypted',
}

const WORDS = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was closed'],
  ['EHOSTUNREACH', 'there is no route to it'],
  ['ENETUNREACH', 'there is no route to it'],
  ['ETIMEDOUT', 'it did not answer in time'],
  ['ABORT_ERR', 'it did not answer in time'],
  ['AbortError', 'it did not answer in time'],
  ['TimeoutError', 'it did not answer in time'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
])
