import { createHmac } from 'node:crypto'
import { WEBHOOK_SECRET_PREFIX } from '../model/standard-webhook.ts'

/** A webhook key in the form that GitLab asks of a signing token: 32 bytes. Not the hash of the key, which is stored. */
export function signingTokenOf(secret: string): string {
  return `${WEBHOOK_SECRET_PREFIX}${createHmac('sha256', secret).update('signing token').digest('base64')}`
}
