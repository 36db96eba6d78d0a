/** Real receivers: an HTTP server that verifies with the reference library, and an SMTP server. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { AlertChannel } from '../model/alert.ts'
import type { ProjectId } from '../model/project.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { createPostMessage } from '../outbound/post-message.ts'
import { createMailServer } from '../outbound/send-mail.ts'
import { selfSigned } from '../testing/certificate.ts'
import { sealSecret } from './channel-secret.ts'
import type { AlertContent } from './content.ts'
import { deliver } from './deliver.ts'
import { newWebhookSecret } from './webhook-message.ts'

const SECRET_KEY = 'k'.repeat(32)
const got: { url: string; headers: IncomingHttpHeaders; body: string }[] = []
const mails: { from: string; to: string[]; data: string }[] = []
let server: Server
let smtp: SMTPServer
let base: string
let smtpUrl: string

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { url = '' } = request
      got.push({ url, headers: request.headers, body: Buffer.concat(chunks).toString() })
      if (url === '/moved') response.writeHead(302, { Location: '/hook' }).end()
      else if (url === '/busy') response.writeHead(429, { 'Retry-After': '120' }).end('slow down')
      else if (url === '/large') response.end(`\u001b[31m${'x'.repeat(1_000_000)}`)
      else if (url === '/silent') return
      else response.end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        mails.push({ from, to: rcptTo.map(({ address }) => address), data: Buffer.concat(chunks).toString() })
        done(null)
      })
    },
  })
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve))
  smtpUrl = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await new Promise<void>((resolve) => smtp.close(resolve))
})

const CONTENT: AlertContent = {
  ...{ isTest: true, url: 'https://logs.example/x', at: '2026-01-01T10:00:00Z', together: null, told: 0, notes: [] },
  project: { id: 'prj_1', name: 'Shop' },
}

function channel(some: Partial<AlertChannel>, secret?: string): AlertChannel {
  const place = { id: 'chn_1', projectId: 'prj_1' as ProjectId }
  return {
    ...place,
    ...{ name: 'ops', kind: 'webhook', address: `${base}/hook`, quiet: null, messagesAnHour: 20 },
    ...{ createdAt: '', createdBy: '', sealed: secret === undefined ? null : sealSecret(SECRET_KEY, place, secret) },
    ...some,
  }
}

function parts({ allowPrivate = true, timeoutMs = 5_000, from = 'tidemark@logs.example' } = {}) {
  const checkHost = createAddressGuard({ allowPrivate, allowedBy: 'TIDEMARK_ALLOW_LOCAL_WEBHOOKS' })
  return {
    post: createPostMessage({ checkHost, timeoutMs }),
    mail: createMailServer({ url: smtpUrl, from }),
    ...{ secretKey: SECRET_KEY, publicUrl: 'https://logs.example', now: Date.now },
  }
}

describe('a webhook', () => {
  it('gets what the reference library verifies, with the id of the message', async () => {
    const secret = newWebhookSecret()
    const answer = await deliver(parts(), { channel: channel({}, secret), id: 'msg_1', content: CONTENT })
    expect(answer).toEqual({ isDelivered: true, answer: 'Answered 200: ok', retryAfterMs: null })
    const { headers, body } = got.at(-1)!
    expect(headers['webhook-id']).toBe('msg_1')
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'alert.test' })
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers as Record<string, string>)).toThrow()
  })

  it.each([
    ['/moved', 'Answered 302. It leads elsewhere, and redirects are not followed.', null],
    ['/busy', 'Answered 429: slow down', 120_000],
  ])('at %s has not taken it', async (path, words, retryAfterMs) => {
    const target = channel({ address: base + path }, newWebhookSecret())
    const before = got.length
    const answer = await deliver(parts(), { channel: target, id: 'msg_1', content: CONTENT })
    expect(answer).toEqual({ isDelivered: false, answer: words, retryAfterMs })
    expect(got.length).toBe(before + 1)
  })

  it('with a long answer is heard for a line of it', async () => {
    const target = channel({ address: `${base}/large` }, newWebhookSecret())
    const { answer, isDelivered } = await deliver(parts(), { channel: target, id: 'msg_1', content: CONTENT })
    expect([isDelivered, answer.length < 230, answer.includes('\u001b')]).toEqual([true, true, false])
  })

  it('that says nothing is given up in time', async () => {
    const target = channel({ address: `${base}/silent` }, newWebhookSecret())
    const { answer } = await deliver(parts({ timeoutMs: 100 }), { channel: target, id: 'msg_1', content: CONTENT })
    expect(answer).toContain('did not answer in time')
  })

  it('whose certificate nobody vouches for is told what would help, as one that speaks no TLS is', async () => {
    const untrusted = createTlsServer(selfSigned('localhost'))
    await new Promise<void>((resolve) => untrusted.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void untrusted.close())
    const told = async (port: number) => {
      const target = channel({ address: `https://127.0.0.1:${port}/hook` }, newWebhookSecret())
      return (await deliver(parts(), { channel: target, id: 'msg_1', content: CONTENT })).answer
    }
    expect(await told((untrusted.address() as AddressInfo).port)).toMatch(
      /: its certificate is not trusted \(\w+\)\. Check its certificate, or name its authority in NODE_EXTRA_CA_CERTS of the service\.$/,
    )
    expect(await told((server.address() as AddressInfo).port)).toMatch(
      /: the connection could not be encrypted \(\w+\)\. Check the address of the channel\.$/,
    )
  })

  it('at a private address is not asked, unless the operator allows it', async () => {
    const before = got.length
    const target = channel({}, newWebhookSecret())
    const answer = await deliver(parts({ allowPrivate: false }), { channel: target, id: 'msg_1', content: CONTENT })
    expect(answer).toMatchObject({ isDelivered: false })
    expect(answer.answer).toContain('TIDEMARK_ALLOW_LOCAL_WEBHOOKS=true')
    expect(got.length).toBe(before)
  })

  it('whose secret was sealed for another channel is not used', async () => {
    const target = { ...channel({}, newWebhookSecret()), id: 'chn_2' }
    const { answer } = await deliver(parts(), { channel: target, id: 'msg_1', content: CONTENT })
    expect(answer).toContain('secret cannot be read')
  })
})

describe('Slack', () => {
  it('gets its message at the address that nobody sees', async () => {
    const target = channel({ kind: 'slack', address: '127.0.0.1' }, `${base}/services/T1/B1/secret`)
    expect(await deliver(parts(), { channel: target, id: 'msg_1', content: CONTENT })).toMatchObject({
      isDelivered: true,
    })
    const { url, body } = got.at(-1)!
    expect([url, Object.keys(JSON.parse(body))]).toEqual([
      '/services/T1/B1/secret',
      ['text', 'unfurl_links', 'unfurl_media'],
    ])
  })
})

describe('mail', () => {
  it('comes to every recipient, with one subject line, as text and HTML', async () => {
    const target = channel({ kind: 'email', address: 'ada@example.com, bob@example.com' })
    const content = { ...CONTENT, project: { id: 'prj_1', name: 'Shop\r\nBcc: eve@example.com' } }
    expect(await deliver(parts(), { channel: target, id: 'msg_7', content })).toMatchObject({ isDelivered: true })
    const { from, to, data } = mails.at(-1)!
    expect([from, to]).toEqual(['tidemark@logs.example', ['ada@example.com', 'bob@example.com']])
    expect(data).toMatch(/^Message-ID: <msg_7@logs\.example>\r?$/m)
    expect(data).toMatch(/^Content-Type: text\/plain/m)
    expect(data).toMatch(/^Content-Type: text\/html/m)
    expect(data).not.toMatch(/^Bcc/m)
  })

  it('without a server says what to set', async () => {
    const target = channel({ kind: 'email', address: 'ada@example.com' })
    const { answer } = await deliver({ ...parts(), mail: null }, { channel: target, id: 'msg_7', content: CONTENT })
    expect(answer).toContain('TIDEMARK_SMTP_URL')
  })

  it('that the server cannot take says so in words of ours', async () => {
    const mail = createMailServer({ url: 'smtp://127.0.0.1:9', from: 'a@b.example' })
    const target = channel({ kind: 'email', address: 'ada@example.com' })
    const { isDelivered, answer } = await deliver(
      { ...parts(), mail },
      { channel: target, id: 'msg_7', content: CONTENT },
    )
    expect([isDelivered, answer.startsWith('The mail server did not accept it')]).toEqual([false, true])
  })

  it('is told to look at its recipients, which nobody has who only asks whether the server can be used', async () => {
    const mail = createMailServer({ url: 'smtp://127.0.0.1:9', from: 'a@b.example' })
    await expect(mail.verify()).rejects.toThrow(/^The mail server cannot be used: [^.]+\. Check TIDEMARK_SMTP_URL\.$/)
    const sent = mail.send({ to: ['ada@example.com'], subject: 'x', text: 'x', html: 'x', messageId: '<x@b.example>' })
    await expect(sent).rejects.toThrow(/: [^.]+\. Check the recipients and TIDEMARK_SMTP_URL\.$/)
  })
})
