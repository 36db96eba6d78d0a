/**
 * What can go wrong with a bucket, in words that end with what to do. What a server says in its own words is never repeated:
 * some repeat what was sent to them, and that may be a secret.
 */
import type { IncomingMessage } from 'node:http'
import { tlsTrouble } from '@tidemark/wire/tls-trouble'
import { AppError, type ErrorCode } from '../../errors.ts'
import { textOf } from './xml.ts'

const MAX_ERROR_CHARACTERS = 64 * 1024
const CODE = /^[A-Za-z][A-Za-z0-9.]{1,63}$/
const REGION = /^[a-z0-9-]{1,32}$/

/** Our own name for a list that is not whole. */
export const NO_NEXT_PAGE = 'NoNextPage'

/** What a server answered instead of what was asked for. */
export class Refusal extends Error {
  readonly status: number
  /** As S3 names it; empty where the answer had none. */
  readonly code: string
  readonly region: string | undefined
  readonly serverTime: string | undefined

  constructor(
    status: number,
    code: string,
    { region, serverTime }: { region?: string | undefined; serverTime?: string | undefined } = {},
  ) {
    super(`${status} ${code}`.trim())
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.region = region
    this.serverTime = serverTime
  }
}

export async function refusalOf(answer: IncomingMessage): Promise<Refusal> {
  return refusalIn(await shortText(answer), answer)
}

/** Also of a body that came with 200: some answers begin before it is known how they end. */
export function refusalIn(
  xml: string,
  { statusCode = 0, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
): Refusal {
  const code = textOf(xml, 'Code') ?? ''
  const region = [textOf(xml, 'Region'), headers['x-amz-bucket-region']].find(
    (one): one is string => typeof one === 'string' && REGION.test(one),
  )
  return new Refusal(statusCode, CODE.test(code) ? code : '', { region, serverTime: headers.date })
}

const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504])
const PASSING_CODES = new Set(['SlowDown', 'InternalError', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted'])
const LOST = new Set(
  'ECONNRESET ECONNREFUSED ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN ERR_STREAM_PREMATURE_CLOSE'.split(
    ' ',
  ),
)

/** Whether the same request may succeed a little later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Refusal) return PASSING_STATUSES.has(error.status) || PASSING_CODES.has(error.code)
  return LOST.has(codeOf(error))
}

export type Where = { bucket: string; host: string }

export function inWords(error: unknown, { bucket, host }: Where): unknown {
  const told = error instanceof Refusal ? refusalInWords(error, { bucket, host }) : lossInWords(codeOf(error), host)
  if (told === undefined) return error
  const [code, message] = told
  return new AppError(code, message, { cause: error })
}

type Told = [code: ErrorCode, message: string]

function refusalInWords({ status, code, region, serverTime }: Refusal, { bucket, host }: Where): Told {
  const known: Record<string, Told> = {
    InvalidAccessKeyId: [
      'forbidden',
      `${host} does not know the access key. Check AWS_ACCESS_KEY_ID, and that AWS_ENDPOINT_URL_S3 names the server it belongs to.`,
    ],
    SignatureDoesNotMatch: [
      'forbidden',
      `${host} refuses the signature. Check AWS_SECRET_ACCESS_KEY, and AWS_REGION if the server has regions.`,
    ],
    RequestTimeTooSkewed: [
      'forbidden',
      `The clock of this machine differs from that of ${host}${apart(serverTime)}. Set it, preferably by NTP.`,
    ],
    ExpiredToken: [
      'forbidden',
      'The temporary credentials have expired. Get new ones for AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.',
    ],
    InvalidToken: [
      'forbidden',
      'AWS_SESSION_TOKEN does not belong to AWS_ACCESS_KEY_ID. Set all three of one set of credentials, or no token for lasting ones.',
    ],
    [NO_NEXT_PAGE]: [
      'invalid_request',
      `${host} lists the bucket ${bucket} in pages and does not say where the next one begins. It has to know ListObjectsV2.`,
    ],
    NoSuchBucket: [
      'not_found',
      `There is no bucket ${bucket} at ${host}. Create it, or name another; AWS_ENDPOINT_URL_S3 says which server is asked.`,
    ],
  }
  const told = known[code]
  if (told) return told
  if (region !== undefined && (status === 301 || status === 307 || status === 400))
    return ['invalid_request', `The bucket ${bucket} is in the region ${region}. Set AWS_REGION=${region}.`]
  const answer = `${status}${code === '' ? '' : ` ${code}`}`
  if (status === 401 || status === 403)
    return [
      'forbidden',
      `${host} refuses these credentials for the bucket ${bucket} (${answer}). They need s3:ListBucket and s3:ListBucketMultipartUploads on it, and s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload on what is in it.`,
    ]
  if (status === 404)
    return [
      'not_found',
      `${host} does not find the bucket ${bucket} (${answer}). Check its name and AWS_ENDPOINT_URL_S3.`,
    ]
  if (status >= 300 && status < 400)
    return [
      'invalid_request',
      `${host} sends requests elsewhere (${answer}). Set AWS_ENDPOINT_URL_S3 and AWS_REGION to where the bucket is.`,
    ]
  if (status >= 500 || status === 429 || status === 408)
    return [
      'unavailable',
      `${host} keeps answering ${answer}. Try again later; what is already there is not sent again.`,
    ]
  return [
    'invalid_request',
    `${host} refuses the request (${answer}). Check that AWS_ENDPOINT_URL_S3 names an S3 server.`,
  ]
}

/** Undefined when it is not about the connection. */
function lossInWords(code: string, host: string): Told | undefined {
  if (LOST.has(code) || code === 'ENOTFOUND')
    return [
      'unavailable',
      `${host} cannot be reached (${code}). Check AWS_ENDPOINT_URL_S3 and AWS_REGION, and the network between.`,
    ]
  const trouble = tlsTrouble(code)
  if (trouble === 'certificate')
    return [
      'unavailable',
      `The certificate of ${host} is not trusted (${code}). Name its authority in NODE_EXTRA_CA_CERTS.`,
    ]
  if (trouble === 'handshake' || code.startsWith('HPE_'))
    return [
      'unavailable',
      `${host} does not speak as expected (${code}). Check that AWS_ENDPOINT_URL_S3 begins with the right one of http: and https:.`,
    ]
  return undefined
}

function apart(serverTime: string | undefined): string {
  const ms = Math.abs(Date.now() - Date.parse(serverTime ?? ''))
  return Number.isNaN(ms) ? '' : `, they are ${Math.round(ms / 1000)} s apart`
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

async function shortText(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_ERROR_CHARACTERS) break
  }
  return text
}
