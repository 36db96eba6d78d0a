/**
 * Secrets at rest: AES-256-GCM under a key derived from the instance's secret key, one for each purpose. A sealed text is
 * bound to its place, so that nobody who can write to the database can have it used in another one.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** `purpose` names the key; `place` is what the text belongs to. */
type Seal = { purpose: string; place: readonly string[] }

const NONCE_BYTES = 12
const TAG_BYTES = 16

export function sealText(secretKey: string, { purpose, place }: Seal, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyFrom(secretKey, purpose), nonce).setAAD(bound(place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** Throws when it was sealed with another key or for another place, or was changed. */
export function openText(secretKey: string, { purpose, place }: Seal, sealed: string): string {
  const bytes = Buffer.from(/^v1\.([\w-]+)$/.exec(sealed)?.[1] ?? '', 'base64url')
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const key = keyFrom(secretKey, purpose)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(bound(place)).setAuthTag(tag)
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return text.toString('utf8')
}

function keyFrom(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))
}

/** An array, because its JSON has one form only. */
function bound(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(place))
}
