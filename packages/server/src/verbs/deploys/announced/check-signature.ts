/** Whether a webhook was signed with its key, over the bytes as they came, in time that does not depend on the answer. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { webhookSignature } from '../../../model/standard-webhook.ts'
import { signingTokenOf } from '../../signing-token.ts'

export type SignedRequest = { headers: Record<string, string | string[] | undefined>; body: Buffer }

/** As Standard Webhooks advises: a signature that is older, or from the future, is taken for a replay. */
const MAX_SKEW_SECONDS = 300
/** A sender that changes its token signs with the old and the new one. */
const MAX_SIGNATURES = 5

/** `X-Hub-Signature-256: sha256=<hex>`. */
export function isSignedByGithub({ headers, body }: SignedRequest, secret: string): boolean {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(textOf(headers['x-hub-signature-256'])) ?? []
  const expected = createHmac('sha256', secret).update(body).digest()
  return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected)
}

/** A signature in the form of Standard Webhooks when there is one, otherwise the secret itself in `X-Gitlab-Token`. */
export function isSignedByGitlab({ headers, body }: SignedRequest, secret: string, nowMs: number): boolean {
  const signatures = textOf(headers['webhook-signature'])
  if (signatures === '') return isSame(textOf(headers['x-gitlab-token']), secret)
  const [id, seconds] = [textOf(headers['webhook-id']), textOf(headers['webhook-timestamp'])]
  if (id === '' || !/^\d{1,12}$/.test(seconds)) return false
  if (Math.abs(nowMs / 1_000 - Number(seconds)) > MAX_SKEW_SECONDS) return false
  const expected = webhookSignature(signingTokenOf(secret), `${id}.${seconds}.`, body)
  return signatures
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .some((signature) => isSame(signature, expected))
}

/** Hashed first: `timingSafeEqual` needs equal lengths, and a length tells something too. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}
