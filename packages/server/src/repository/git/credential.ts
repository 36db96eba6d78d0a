/**
 * The credential of a repository, encrypted at rest: AES-256-GCM under a key derived from the instance's secret key. It is
 * bound to its project and address, so that nobody who can write to the database can have it sent to their own host.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { MAX_DEPLOY_KEY_CHARACTERS, MAX_TOKEN_CHARACTERS } from '@tidemark/wire/limits'
import { AppError } from '../../errors.ts'

export type RemoteCredential =
  | { kind: 'none' }
  | { kind: 'token'; token: string }
  | { kind: 'deploy_key'; privateKey: string }

type CredentialPlace = { projectId: string; url: string }

const NONCE_BYTES = 12
const TAG_BYTES = 16
const PRIVATE_KEY = /^-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----\n[A-Za-z0-9+/=\n]+\n-----END \1-----\n$/

export function sealCredential(secretKey: string, place: CredentialPlace, credential: RemoteCredential): string | null {
  if (credential.kind === 'none') return null
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyFrom(secretKey), nonce).setAAD(bound(place))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(credential), 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

export function openCredential(secretKey: string, place: CredentialPlace, sealed: string | null): RemoteCredential {
  if (sealed === null) return { kind: 'none' }
  try {
    const bytes = Buffer.from(/^v1\.([\w-]+)$/.exec(sealed)?.[1] ?? '', 'base64url')
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', keyFrom(secretKey), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(bound(place)).setAuthTag(tag)
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return JSON.parse(text.toString('utf8')) as RemoteCredential
  } catch (cause) {
    throw new AppError(
      'conflict',
      "The repository's credential cannot be read: the service's secret key has changed since. Connect the repository again.",
      { cause },
    )
  }
}

/** A token goes into a header, so it cannot hold a space or a line end. `user:token` is used as it is. */
export function tokenCredential(text: string): RemoteCredential {
  const token = text.trim()
  if (/^[\x21-\x7e]+$/.test(token) && token.length <= MAX_TOKEN_CHARACTERS) return { kind: 'token', token }
  throw new AppError('invalid_request', 'The token is not one: it has no spaces and one line. Copy it again.', {
    fields: [{ path: 'token', message: 'is not a token' }],
  })
}

/** Nobody is there to type a passphrase, so a key that has one would fail at every fetch. */
export function deployKeyCredential(text: string): RemoteCredential {
  const privateKey = `${text.replaceAll('\r\n', '\n').trim()}\n`
  if (privateKey.length <= MAX_DEPLOY_KEY_CHARACTERS && PRIVATE_KEY.test(privateKey) && !isEncrypted(privateKey)) {
    return { kind: 'deploy_key', privateKey }
  }
  throw new AppError(
    'invalid_request',
    "The deploy key is not one: give the private half as ssh-keygen -t ed25519 -N '' writes it, from BEGIN to END, without a passphrase.",
    { fields: [{ path: 'deployKey', message: 'is not a private key without a passphrase' }] },
  )
}

/** OpenSSH's own form says so in its head, right after its magic word; "none" is the cipher of a key without one. */
function isEncrypted(pem: string): boolean {
  if (pem.includes('ENCRYPTED PRIVATE KEY')) return true
  if (!pem.startsWith('-----BEGIN OPENSSH PRIVATE KEY-----')) return false
  const body = Buffer.from(pem.split('\n').slice(1, -2).join(''), 'base64')
  const magic = 'openssh-key-v1\0'
  return body.toString('latin1', 0, magic.length) !== magic || body.toString('latin1', 19, 23) !== 'none'
}

function keyFrom(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'tidemark repository credential v1', 32))
}

/** An array, because its JSON has one form only. */
function bound({ projectId, url }: CredentialPlace): Buffer {
  return Buffer.from(JSON.stringify([projectId, url]))
}
