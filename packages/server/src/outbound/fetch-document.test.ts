import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selfSigned } from '../testing/certificate.ts'
import { createAddressGuard } from './address-guard.ts'
import { createFetchDocument } from './fetch-document.ts'

const HOST = 'client.example'
const certificate = selfSigned(HOST)
const asked: string[] = []
let server: Server
let port: number

beforeAll(async () => {
  server = createServer(certificate, (request, response) => {
    asked.push(`${request.headers.host}${request.url}`)
    if (request.url === '/good') response.end('{"client_id":"x"}')
    else if (request.url === '/moved') response.writeHead(302, { Location: `https://${HOST}/good` }).end()
    else if (request.url === '/large') response.end(`"${'x'.repeat(20_000)}"`)
    else if (request.url === '/text') response.end('private words of the other side')
    else if (request.url === '/silent') return
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** As in the service, but that the name leads to this machine, which only here is allowed. */
function open(options: { resolve?: () => Promise<string[]>; allowPrivate?: boolean; timeoutMs?: number } = {}) {
  const { resolve = async () => ['127.0.0.1'], allowPrivate = true, timeoutMs = 10_000 } = options
  const checkHost = createAddressGuard({ allowPrivate, resolve })
  return createFetchDocument({ checkHost, timeoutMs, connection: { port, ca: certificate.cert } })
}

describe('a document', () => {
  it('is read from the checked address, under the name that was asked for', async () => {
    expect(await open()(new URL(`https://${HOST}/good`))).toEqual({ client_id: 'x' })
    expect(asked).toContain(`${HOST}:${port}/good`)
  })

  it.each([
    ['is missing', 'none', 'not answered with 200'],
    ['is elsewhere, and no redirect is followed', 'moved', 'not answered with 200'],
    ['is too large', 'large', 'larger than 16 KiB'],
    ['is not JSON', 'text', 'it is not JSON'],
  ])('that %s is refused in words of our own', async (_, path, words) => {
    const before = asked.length
    const refused = await open()(new URL(`https://${HOST}/${path}`)).catch((error: Error) => error)
    expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(words) })
    expect(String(refused)).not.toContain('private words')
    expect(asked.length).toBe(before + 1)
  })

  it('that does not come is given up', async () => {
    const silent = open({ timeoutMs: 300 })(new URL(`https://${HOST}/silent`))
    await expect(silent).rejects.toMatchObject({ message: expect.stringContaining('does not arrive') })
  })

  it.each([
    ['plain http', `http://${HOST}/good`],
    ['another port', `https://${HOST}:8443/good`],
    ['a password', `https://ada:secret@${HOST}/good`],
  ])('is not asked for at %s', async (_, url) => {
    const before = asked.length
    await expect(open()(new URL(url))).rejects.toMatchObject({ code: 'invalid_request' })
    expect(asked.length).toBe(before)
  })

  it.each(['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1'])(
    'is not asked for at the private address %s',
    async (to) => {
      const before = asked.length
      const fetchDocument = open({ allowPrivate: false, resolve: async () => ['1.1.1.1', to] })
      await expect(fetchDocument(new URL(`https://${HOST}/good`))).rejects.toMatchObject({
        message: expect.stringContaining('cannot be found or is private'),
      })
      expect(asked.length).toBe(before)
    },
  )

  it('is not believed from somebody who has no certificate of that name', async () => {
    const refused = open()(new URL('https://other.example/good'))
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('does not arrive') })
  })
})
