/** Delivers one message to one channel, once. Whether it may, and what happens when that fails, is up to the caller. */
import { strangerLine } from '@tidemark/wire/text/stranger-text'
import { AppError } from '../errors.ts'
import type { AlertChannel } from '../model/alert.ts'
import type { PostAnswer, PostMessage } from '../outbound/post-message.ts'
import type { MailServer } from '../outbound/send-mail.ts'
import { openSecret } from './channel-secret.ts'
import type { AlertContent } from './content.ts'
import { mailBody } from './mail-body.ts'
import { slackBody } from './slack-body.ts'
import { signedHeaders, webhookBody } from './webhook-message.ts'

type DeliverParts = {
  post: PostMessage
  /** Null when the operator named none. */
  mail: MailServer | null
  secretKey: string
  /** Of mail: what follows the `@` of its ids. */
  publicUrl: string
  now: () => number
}

/** `answer`: what the receiver said or what was in the way, on one line. */
export type DeliveryAnswer = { isDelivered: boolean; answer: string; retryAfterMs: number | null }

export type Delivering = { channel: AlertChannel; id: string; content: AlertContent; signal?: AbortSignal | undefined }

export const NO_MAIL_SERVER =
  'This service cannot send mail: its operator has to set TIDEMARK_SMTP_URL (the server) and TIDEMARK_MAIL_FROM (the sender).'

/** Never rejects: what is in the way is an answer too. */
export async function deliver(parts: DeliverParts, message: Delivering): Promise<DeliveryAnswer> {
  try {
    return message.channel.kind === 'email' ? await byMail(parts, message) : await byPost(parts, message)
  } catch (error) {
    const answer = error instanceof AppError ? error.message : 'It could not be sent: the server log says more.'
    return { isDelivered: false, answer: strangerLine(answer), retryAfterMs: null }
  }
}

async function byPost(parts: DeliverParts, { channel, id, content, signal }: Delivering): Promise<DeliveryAnswer> {
  const secret = openSecret(parts.secretKey, channel)
  const json = { 'Content-Type': 'application/json' }
  if (channel.kind === 'slack') {
    return answerOf(await parts.post(new URL(secret), { headers: json, body: slackBody(content), signal }))
  }
  const body = webhookBody(content)
  const headers = { ...json, ...signedHeaders({ secret, id, nowMs: parts.now() }, body) }
  return answerOf(await parts.post(new URL(channel.address), { headers, body, signal }))
}

async function byMail({ mail, publicUrl }: DeliverParts, message: Delivering): Promise<DeliveryAnswer> {
  const { channel, id, content } = message
  if (mail === null) throw new AppError('conflict', NO_MAIL_SERVER)
  const to = channel.address.split(', ')
  const messageId = `<${id}@${new URL(publicUrl).hostname}>`
  const said = await mail.send({ to, messageId, ...mailBody(content) })
  return { isDelivered: true, answer: strangerLine(said), retryAfterMs: null }
}

function answerOf({ status, text, retryAfterMs }: PostAnswer): DeliveryAnswer {
  const said = strangerLine(text, 200)
  const isDelivered = status >= 200 && status < 300
  const redirect = status >= 300 && status < 400 ? ' It leads elsewhere, and redirects are not followed.' : ''
  return { isDelivered, answer: `Answered ${status}${said === '' ? '.' : `: ${said}`}${redirect}`, retryAfterMs }
}
