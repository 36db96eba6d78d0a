/** How Standard Webhooks signs a message, whoever sends it: Tidemark an alert, GitLab what it announces. */
import { createHmac } from 'node:crypto'

/** Of a secret, before the key in base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_'

/** `lead` is the id and the time in seconds, each with a point after it. */
export function webhookSignature(secret: string, lead: string, body: string | Buffer): string {
  const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(lead).update(body).digest('base64')}`
}
