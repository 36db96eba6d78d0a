/** Mail through the server that the operator named. The library writes headers and encodings; nothing is read from files or addresses. */

import { isLoopbackHost } from '@tidemark/wire/local-address'
import { createTransport } from 'nodemailer'
import { AppError } from '../errors.ts'

const TIMEOUT_MS = 10_000
/** All of it, whatever the server does in between. */
const WHOLE_TIMEOUT_MS = 20_000

export type Mail = {
  to: readonly string[]
  subject: string
  text: string
  html: string
  /** The same for every attempt, so that a repeated one can be recognised. */
  messageId: string
}

export type MailServer = {
  /** Resolves to what the server said; rejects with what was in the way. */
  send(mail: Mail): Promise<string>
  /** Connects and signs in, without sending anything. */
  verify(): Promise<void>
}

export function createMailServer({ url, from }: { url: string; from: string }): MailServer {
  const { protocol, username, hostname } = new URL(url)
  const open = () =>
    createTransport({
      url,
      // A password is not sent in the clear, unless it stays on this machine.
      requireTLS: protocol === 'smtp:' && username !== '' && !isLoopbackHost(hostname),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  const withServer = async <Result>(
    refused: (why: string) => string,
    work: (transport: ReturnType<typeof open>) => Promise<Result>,
  ): Promise<Result> => {
    const transport = open()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), WHOLE_TIMEOUT_MS)
    })
    try {
      return await Promise.race([work(transport), late])
    } catch (cause) {
      throw new AppError('unavailable', refused(inWords(cause as MailError)), { cause })
    } finally {
      clearTimeout(timer)
      transport.close()
    }
  }
  return {
    send: ({ to, ...mail }) =>
      withServer(notSent, async (transport) => {
        const headers = { 'Auto-Submitted': 'auto-generated' }
        const { response, rejected } = await transport.sendMail({ from, to: [...to], headers, ...mail })
        return rejected.length === 0 ? response : `${response}; not taken for ${rejected.join(', ')}`
      }),
    verify: () => withServer(notUsable, async (transport) => void (await transport.verify())),
  }
}

const notSent = (why: string) =>
  `The mail server did not accept it: ${why}. Check the recipients and TIDEMARK_SMTP_URL.`
const notUsable = (why: string) => `The mail server cannot be used: ${why}. Check TIDEMARK_SMTP_URL.`

type MailError = Error & { code?: string; responseCode?: number }

/** In words of our own and the server's number: its text may repeat what was sent to it. */
function inWords({ code = '', responseCode }: MailError): string {
  const words = WORDS.get(code) ?? 'the reason is not known'
  return responseCode === undefined ? words : `${words} (${responseCode})`
}

const WORDS = new Map([
  ['EDNS', 'its host cannot be found'],
  ['ESOCKET', 'the connection failed'],
  ['ECONNECTION', 'the connection failed'],
  ['ECONNREFUSED', 'the connection was refused'],
  ['ETIMEDOUT', 'it did not answer in time'],
  ['ETLS', 'the connection could not be encrypted'],
  ['EAUTH', 'it does not know the user or the password'],
  ['ENOAUTH', 'it does not know the user or the password'],
  ['EENVELOPE', 'it refused the sender or every recipient'],
  ['EMESSAGE', 'it refused the message'],
  ['EPROTOCOL', 'it answered something unexpected'],
])
