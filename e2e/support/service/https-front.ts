/**
 * What stands before a service that has a public https address: it ends the encryption and passes everything on, with the
 * Host that was asked for. Its certificate is known to nobody but the requests made here.
 */

import { createServer, request, type Server } from 'node:https'
import { selfSigned } from '../../../packages/server/src/testing/certificate.ts'
import { atFileEnd } from '../file-end.ts'
import { listening } from '../listening.ts'
import { passOn, STAYS_OPEN } from './pass-on.ts'

export type HttpsFront = {
  readonly origin: string
  /** From then on everything goes to this port. */
  leadTo(port: number): void
  /** A program that trusts the certificate. */
  fetch(input: string | URL, init?: RequestInit): Promise<Response>
}

const open: Server[] = []

export async function openHttpsFront(): Promise<HttpsFront> {
  const certificate = selfSigned('localhost')
  let target = 0
  const server = createServer({ ...certificate, ...STAYS_OPEN }, (incoming, outgoing) =>
    passOn(incoming, outgoing, [target]),
  )
  const port = await listening(server)
  open.push(server)
  return {
    origin: `https://localhost:${port}`,
    leadTo(onwardPort) {
      target = onwardPort
    },
    fetch: (input, init) => fetchWith(new Request(input, init), certificate.cert),
  }
}

async function fetchWith(asked: Request, ca: string): Promise<Response> {
  const body = Buffer.from(await asked.arrayBuffer())
  const headers = { ...Object.fromEntries(asked.headers), 'content-length': String(body.length) }
  return new Promise((resolve, reject) => {
    const sent = request(asked.url, { method: asked.method, headers, ca, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('error', reject)
      answer.once('end', () => {
        const status = answer.statusCode ?? 0
        const content = [204, 304].includes(status) ? null : new Uint8Array(Buffer.concat(chunks))
        resolve(new Response(content, { status, headers: answer.headers as Record<string, string> }))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

atFileEnd(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
