/**
 * Checks signatures of version 4 as the documents of S3 describe them, from what arrived, and independently of what signs
 * them: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
import { createHash, createHmac } from 'node:crypto'

export type Arrived = {
  method: string
  /** Path and query as they stood in the first line of the request. */
  target: string
  headers: Record<string, string | string[] | undefined>
}

export type Authority = {
  accessKeyId: string
  secretAccessKey: string
  region: string
  sessionToken?: string | undefined
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
const MAX_SKEW_MS = 15 * 60_000

/** The code of the error that S3 answers with; undefined when the request is signed well. */
export function wrongIn(arrived: Arrived, authority: Authority, nowMs: number): string | undefined {
  const header = (name: string) => String(arrived.headers[name] ?? '')
  const parts = AUTHORIZATION.exec(header('authorization'))
  if (!parts) return 'AccessDenied'
  const [, keyId, day = '', region = '', signedHeaders = '', signature] = parts
  if (keyId !== authority.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== authority.region) return 'AuthorizationHeaderMalformed'
  if (header('x-amz-security-token') !== (authority.sessionToken ?? '')) return 'InvalidToken'
  const time = header('x-amz-date')
  const [, year, month, date, hour, minute, second] = TIME.exec(time) ?? []
  const atMs = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(atMs) || !time.startsWith(day)) return 'AccessDenied'
  if (Math.abs(nowMs - atMs) > MAX_SKEW_MS) return 'RequestTimeTooSkewed'
  const names = signedHeaders.split(';')
  // What S3 requires to be signed: the host, and every header of its own.
  const own = Object.keys(arrived.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (!own.every((name) => names.includes(name))) return 'AccessDenied'
  const canonical = [
    arrived.method,
    ...canonicalTarget(arrived.target),
    ...names.map((name) => `${name}:${header(name).trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    header('x-amz-content-sha256'),
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${authority.secretAccessKey}`,
  )
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function canonicalTarget(target: string): [path: string, query: string] {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const pairs = query.split('&').filter((pair) => pair !== '')
  const canonicalPairs = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return `${recoded(name)}=${recoded(value)}`
  })
  return [path.split('/').map(recoded).join('/'), canonicalPairs.sort().join('&')]
}

/** Every byte but letters, digits and - . _ ~ as %XX. */
function recoded(text: string): string {
  const bytes = Buffer.from(decodeURIComponent(text))
  return Array.from(bytes, (byte) => {
    const one = String.fromCharCode(byte)
    return /[A-Za-z0-9._~-]/.test(one) ? one : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}
