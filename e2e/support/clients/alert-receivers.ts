/** Where alerts arrive, as strangers run it: an HTTP server for webhooks and a mail server, both on loopback. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { listening } from '../listening.ts'

export type Posted = { path: string; headers: Record<string, string>; body: string }

/** Takes everything, except under `/down`. */
export async function webhookReceiver() {
  const posted: Posted[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const path = request.url ?? ''
      const headers = request.headers as Record<string, string>
      posted.push({ path, headers, body: Buffer.concat(chunks).toString() })
      if (path === '/down') response.writeHead(500).end('out of order')
      else response.end('thank you')
    })
  })
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    at: (path: string) => posted.filter((one) => one.path === path),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export async function mailReceiver() {
  const mails: { from: string; to: string[]; text: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        const from = mailFrom === false ? '' : mailFrom.address
        mails.push({ from, to: rcptTo.map(({ address }) => address), text: unfolded(Buffer.concat(chunks).toString()) })
        done(null)
      })
    },
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

/** Long lines were broken for the way: in bodies after `=`, in headers before a space. */
function unfolded(text: string): string {
  return text
    .replaceAll('=\r\n', '')
    .replaceAll('=3D', '=')
    .replace(/\r\n[ \t]/g, ' ')
}
