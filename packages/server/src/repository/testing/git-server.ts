/** A private git host: real smart HTTP by `git http-backend` behind TLS with a throw-away certificate. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export type GitServer = {
  readonly port: number
  readonly caFile: string
  /** Method, path and credential of every request so far. */
  readonly requests: { method: string; path: string; authorization: string | undefined }[]
  connections(): number
  stop(): Promise<void>
}

type Options = {
  /** Where the certificate and the repositories are. */
  folder: string
  host: string
  /** Requests without it are refused with 401. */
  authorization?: string
  /** Answers instead of git; true when it did. */
  instead?: (request: IncomingMessage, response: ServerResponse) => boolean
}

export async function startGitServer({ folder, host, authorization, instead }: Options): Promise<GitServer> {
  const { keyFile, caFile } = makeCertificate(folder, host)
  const requests: GitServer['requests'] = []
  let connections = 0
  const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(caFile) }, (request, response) => {
    const { method = '', url = '', headers } = request
    requests.push({ method, path: url, authorization: headers.authorization })
    if (instead?.(request, response)) return
    if (authorization !== undefined && headers.authorization !== authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    answerWithGit(folder, request, response)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    caFile,
    requests,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function answerWithGit(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', 'https://git')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-encoding'] && { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
      ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(backend.stdin.on('error', () => {}))
  let head: Buffer | undefined = Buffer.alloc(0)
  backend.stdout.on('data', (chunk: Buffer) => {
    if (head === undefined) {
      response.write(chunk)
      return
    }
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const fields = head
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(/: */, 2) as [string, string])
    const status = Number(fields.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200)
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')))
    response.write(head.subarray(end + 4))
    head = undefined
  })
  backend.stdout.on('end', () => response.end())
}

function makeCertificate(folder: string, host: string): { keyFile: string; caFile: string } {
  const keyFile = join(folder, 'tls.key')
  const caFile = join(folder, 'tls.crt')
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host},IP:127.0.0.1`]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', ...subject].concat(
      ['-keyout', keyFile, '-out', caFile],
    ),
    { stdio: 'pipe' },
  )
  return { keyFile, caFile }
}
