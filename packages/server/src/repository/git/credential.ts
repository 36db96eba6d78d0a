/**
 * The credential of a repository, encrypted at rest. It is bound to its project and address, so that nobody who can write
 * to the database can have it sent to their own host.
 */
import { MAX_DEPLOY_KEY_CHARACTERS, MAX_TOKEN_CHARACTERS } from '@tidemark/wire/limits'
import { AppError } from '../../errors.ts'
import { openText, sealText } from '../../seal.ts'

export type RemoteCredential =
  | { kind: 'none' }
  | { kind: 'token'; token: string }
  | { kind: 'deploy_key'; privateKey: string }

type CredentialPlace = { projectId: string; url: string }

const PURPOSE = 'tidemark repository credential v1'
const PRIVATE_KEY = /^-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----\n[A-Za-z0-9+/=\n]+\n-----END \1-----\n$/

export function sealCredential(secretKey: string, place: CredentialPlace, credential: RemoteCredential): string | null {
  if (credential.kind === 'none') return null
  return sealText(secretKey, sealOf(place), JSON.stringify(credential))
}

export function openCredential(secretKey: string, place: CredentialPlace, sealed: string | null): RemoteCredential {
  if (sealed === null) return { kind: 'none' }
  try {
    return JSON.parse(openText(secretKey, sealOf(place), sealed)) as RemoteCredential
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
  throw new AppError('invalid_request', 'This is not a token: a token is one line without spaces. Copy it again.', {
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
    "This is not a deploy key: give the private half as ssh-keygen -t ed25519 -N '' writes it, from BEGIN to END, without a passphrase.",
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

function sealOf({ projectId, url }: CredentialPlace) {
  return { purpose: PURPOSE, place: [projectId, url] }
}
