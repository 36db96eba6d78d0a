/** A message as Standard Webhooks: type, time and data as JSON, signed with its id and the time of the attempt. */

import { randomBytes } from 'node:crypto'
import { strangerLine } from '@tidemark/wire/text/stranger-text'
import { WEBHOOK_SECRET_PREFIX, webhookSignature } from '../model/standard-webhook.ts'
import { type AlertContent, type AlertNote, causeWording, spoken } from './content.ts'

/** Between 24 and 64 by the standard. */
const SECRET_BYTES = 32

export function newWebhookSecret(): string {
  return `${WEBHOOK_SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

export function webhookBody(content: AlertContent): string {
  const { isTest, project, url, at, together, told, notes } = content
  const [only] = notes
  const type = isTest ? 'alert.test' : told === 1 && only ? `alert.${only.reason}` : 'alert.summary'
  const data = {
    project: { id: project.id, name: strangerLine(project.name) },
    url,
    told,
    together,
    alerts: notes.map(noteData),
  }
  return JSON.stringify({ type, timestamp: at, data })
}

function noteData({ cause, ...note }: AlertNote) {
  return {
    reason: note.reason,
    title: strangerLine(note.title),
    environment: strangerLine(note.environment),
    service: strangerLine(note.service),
    since: note.since,
    facts: note.facts.map((fact) => strangerLine(fact)),
    likelyCause: cause && {
      kind: cause.kind,
      title: strangerLine(cause.title),
      confidence: cause.confidence,
      words: spoken(causeWording(cause), strangerLine),
    },
    url: note.url,
    prompt: note.prompt,
  }
}

/** `timestamp` is of this try, in seconds: receivers refuse what was signed long ago. */
export function signedHeaders(
  { secret, id, nowMs }: { secret: string; id: string; nowMs: number },
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const signature = webhookSignature(secret, `${id}.${timestamp}.`, body)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}
