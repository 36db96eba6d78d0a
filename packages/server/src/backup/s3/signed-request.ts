/** One signed HTTP request to a bucket. Bodies are streamed in both directions. */
import { createHash } from 'node:crypto'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { pipeline, Readable } from 'node:stream'
import aws4 from 'aws4'

/** No byte in either direction for this long: the connection is lost. */
const SILENCE_MS = 60_000

export type BucketAccess = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
  readonly region: string
  /** Undefined: Amazon's own. */
  readonly endpoint: string | undefined
}

/** What is sent can be read again: a request may have to be repeated. */
export type SentBody = {
  readonly bytes: number
  readonly sha256: string
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export type Asked = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Without one the bucket itself is asked. */
  key?: string
  query?: Record<string, string>
  body?: SentBody
}

export type Sender = { send(asked: Asked): Promise<IncomingMessage>; readonly host: string; close(): void }

export function textBody(text: string): SentBody {
  const bytes = Buffer.from(text)
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), chunks: () => [bytes] }
}

export function openSender(access: BucketAccess, bucket: string): Sender {
  const base = baseOf(access, bucket)
  const { request: begin, Agent } = base.protocol === 'http:' ? http : https
  const agent = new Agent({ keepAlive: true })
  return {
    host: base.host,
    send: (asked) =>
      new Promise((resolve, reject) => {
        const { method, key = '', query = {}, body = textBody('') } = asked
        const signed = aws4.sign(
          {
            service: 's3',
            region: access.region,
            method,
            host: base.host,
            path: `${base.pathname}${pathOf(key)}${queryOf(query)}`,
            headers: {
              'X-Amz-Content-Sha256': body.sha256,
              ...(asked.body && { 'Content-Length': body.bytes, 'Content-Type': 'application/octet-stream' }),
            },
          },
          credentialsOf(access),
        )
        const { protocol, hostname, port } = base
        const request = begin({
          protocol,
          hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
          port,
          method,
          path: signed.path,
          headers: signed.headers,
          agent,
        })
        request.setTimeout(SILENCE_MS, () => request.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })))
        request.on('response', resolve)
        request.on('error', reject)
        // An error while the body is read ends the request, and so reaches the code that waits for its answer.
        if (asked.body) pipeline(Readable.from(body.chunks()), request, (error) => error && reject(error))
        else request.end()
      }),
    close: () => agent.destroy(),
  }
}

/** The bucket is a part of the host name at Amazon, and a part of the path elsewhere, where such names may not exist. */
function baseOf({ endpoint, region }: BucketAccess, bucket: string): URL {
  if (endpoint !== undefined) return new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}/`)
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  // Certificates there cover one more label only.
  return new URL(bucket.includes('.') ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`)
}

function credentialsOf({ accessKeyId, secretAccessKey, sessionToken }: BucketAccess): aws4.Credentials {
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}

function pathOf(key: string): string {
  return key.split('/').map(encoded).join('/')
}

function queryOf(query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** As signatures want it: everything but letters, digits and - . _ ~ */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}
