/**
 * A small S3 server for tests, in memory: it checks every signature and checksum itself, keeps objects and uploads in parts,
 * lists them in pages, and fails in the ways it is told to.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { elementsOf, escaped, textOf } from '../xml.ts'
import { type Authority, sha256, wrongIn } from './verify-signature.ts'

/** Pages this small are several even in a small test. */
const PAGE = 5

type S3Request = { method: string; key: string; query: Record<string, string> }
/** What becomes of a request: an answer of this status, a connection cut before or in the middle of the answer. */
export type Trouble = number | 'cut' | 'cut in the middle' | 'answer lost' | 'no next page'

type StoredObject = { bytes: Buffer; changedMs: number }
type Upload = { key: string; begunMs: number; parts: Map<number, Buffer> }

export type S3Server = Awaited<ReturnType<typeof startS3Server>>

export async function startS3Server({
  bucket = 'backups',
  sessionToken,
}: {
  bucket?: string
  sessionToken?: string
} = {}) {
  const authority: Authority = {
    accessKeyId: 'AKIDTEST',
    secretAccessKey: 'a/secret+of/tests',
    region: 'eu-test-1',
    sessionToken,
  }
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, Upload>()
  const requests: S3Request[] = []
  const state = {
    /** Asked for each request that is signed well. */
    trouble: (_: S3Request): Trouble | undefined => undefined,
    clockMs: (): number => Date.now(),
  }

  const server = createServer((incoming, answer) => {
    // A client that has gone is none of our trouble.
    void serve(incoming, answer).catch(() => answer.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`

  async function serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url: target = '', headers } = incoming
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    answer.setHeader('Date', new Date(state.clockMs()).toUTCString())
    const url = new URL(target, endpoint)
    const [, named = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decodeURIComponent(url.pathname)) ?? []
    const request = { method, key, query: Object.fromEntries(url.searchParams) }
    const wrong =
      wrongIn({ method, target, headers }, authority, state.clockMs()) ??
      (headers['x-amz-content-sha256'] === sha256(body) ? undefined : 'XAmzContentSHA256Mismatch') ??
      (named === bucket ? undefined : 'NoSuchBucket')
    if (wrong !== undefined) return refuse(answer, wrong)
    requests.push(request)
    const trouble = state.trouble(request)
    if (typeof trouble === 'number') return refuse(answer, trouble === 503 ? 'SlowDown' : 'InternalError', trouble)
    if (trouble === 'cut') return void incoming.socket.destroy()
    const found = perform(request, body)
    if (trouble === 'answer lost') return void incoming.socket.destroy()
    if (typeof found === 'string') return refuse(answer, found)
    if (trouble === 'no next page') {
      answer.end(found.body.toString().replace(/<NextContinuationToken>.*<\/NextContinuationToken>/, ''))
      return
    }
    if (trouble === 'cut in the middle') {
      answer.writeHead(200, { 'Content-Length': found.body.length + 1 })
      answer.write(found.body, () => incoming.socket.destroy())
      return
    }
    answer.writeHead(found.status ?? 200, { 'Content-Length': found.body.length, ...found.headers })
    answer.end(method === 'HEAD' ? undefined : found.body)
  }

  type Found = { body: Buffer; status?: number; headers?: Record<string, string> }

  /** A string is the code of an error. */
  function perform({ method, key, query }: S3Request, body: Buffer): Found | string {
    if (key === '') return 'uploads' in query ? listUploads(query) : listObjects(query)
    if ('uploads' in query) return beginUpload(key)
    if (query.uploadId !== undefined) return partOf(method, key, query, body)
    const object = objects.get(key)
    if (method === 'PUT') {
      objects.set(key, { bytes: body, changedMs: state.clockMs() })
      return { body: Buffer.alloc(0), headers: { ETag: tagOf(body) } }
    }
    if (method === 'DELETE') {
      objects.delete(key)
      return { body: Buffer.alloc(0), status: 204 }
    }
    return object === undefined ? 'NoSuchKey' : { body: object.bytes }
  }

  function listObjects({ prefix = '', 'continuation-token': after = '' }: Record<string, string>): Found {
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const page = keys.slice(0, PAGE)
    const contents = page.map((key) => {
      const { bytes, changedMs } = objects.get(key)!
      return `<Contents><Key>${escaped(key)}</Key><LastModified>${new Date(changedMs).toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
    })
    const isTruncated = keys.length > PAGE
    const next = isTruncated ? `<NextContinuationToken>${escaped(page.at(-1)!)}</NextContinuationToken>` : ''
    return xml(
      `<ListBucketResult xmlns="x"><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    )
  }

  function listUploads({ prefix = '' }: Record<string, string>): Found {
    const all = [...uploads].filter(([, { key }]) => key.startsWith(prefix))
    const entries = all.map(
      ([id, { key, begunMs }]) =>
        `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId><Initiated>${new Date(begunMs).toISOString()}</Initiated></Upload>`,
    )
    return xml(`<ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>`)
  }

  function beginUpload(key: string): Found {
    const id = `upload+${uploads.size + requests.length}`
    uploads.set(id, { key, begunMs: state.clockMs(), parts: new Map() })
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }

  function partOf(
    method: string,
    key: string,
    { uploadId = '', partNumber }: Record<string, string>,
    body: Buffer,
  ): Found | string {
    const upload = uploads.get(uploadId)
    if (upload?.key !== key) return 'NoSuchUpload'
    if (method === 'PUT') {
      upload.parts.set(Number(partNumber), body)
      return { body: Buffer.alloc(0), headers: { ETag: tagOf(body) } }
    }
    uploads.delete(uploadId)
    if (method === 'DELETE') return { body: Buffer.alloc(0), status: 204 }
    const parts = elementsOf(body.toString(), 'Part').map((part) => {
      const bytes = upload.parts.get(Number(textOf(part, 'PartNumber')))
      return bytes !== undefined && textOf(part, 'ETag') === tagOf(bytes) ? bytes : undefined
    })
    if (parts.length === 0 || parts.includes(undefined)) return 'InvalidPart'
    objects.set(key, { bytes: Buffer.concat(parts as Buffer[]), changedMs: state.clockMs() })
    return xml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
  }

  return {
    endpoint,
    bucket,
    authority,
    objects,
    uploads,
    /** Those that were signed well, in order. */
    requests,
    state,
    /** As variables name how to reach it. */
    env: {
      AWS_ACCESS_KEY_ID: authority.accessKeyId,
      AWS_SECRET_ACCESS_KEY: authority.secretAccessKey,
      AWS_REGION: authority.region,
      AWS_ENDPOINT_URL_S3: endpoint,
      ...(sessionToken !== undefined && { AWS_SESSION_TOKEN: sessionToken }),
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const STATUSES: Record<string, number> = {
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  InvalidPart: 400,
  InvalidToken: 400,
  AuthorizationHeaderMalformed: 400,
  XAmzContentSHA256Mismatch: 400,
}

function refuse(answer: ServerResponse, code: string, status = STATUSES[code] ?? 403): void {
  const region = code === 'AuthorizationHeaderMalformed' ? '<Region>eu-test-1</Region>' : ''
  answer.writeHead(status, { 'Content-Type': 'application/xml' })
  answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>not to be repeated</Message>${region}</Error>`)
}

function xml(text: string) {
  return { body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`) }
}

function tagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}
