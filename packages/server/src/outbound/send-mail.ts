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
  const withServer = async <Result>(work: (transport: ReturnType<typeof open>) => Promise<Result>): Promise<Result> => {
    const transport = open()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), WHOLE_TIMEOUT_MS)
    })
    try {
      return await Promise.race([work(transport), late])
    } catch (cause) {
      throw refused(cause as MailError)
    } finally {
      clearTimeout(timer)
      transport.close()
    }
  }
  return {
    send: ({ to, ...mail }) =>
      withServer(async (transport) => {
        const headers = { 'Auto-Submitted': 'auto-generated' }
        const { response, rejected } = await transport.sendMail({ from, to: [...to], headers, ...mail })
        return rejected.length === 0 ? response : `${response}; not taken for ${rejected.join(', ')}`
      }),
    verify: () => withServer(async (transport) => void (await transport.verify())),
  }
}

type MailError = Error & { code?: string; responseCode?: number }

/** In words of our own and the server's number: its text may repeat what was sent to it. */
function refused(cause: MailError): AppError {
  const words = WORDS.get(cause.code ?? '') ?? 'it could not be sent'
  const number = cause.responseCode === undefined ? '' : ` (${cause.responseCode})`
  return new AppError(
    'unavailable',
    `The mail server did not accept it: ${words}${number}. Check the recipients and TIDEMARK_SMTP_URL.`,
    { cause },
  )
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
