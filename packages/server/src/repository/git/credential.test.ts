import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/source-repository.ts'
import { deployKeyCredential, openCredential, sealCredential, tokenCredential } from './credential.ts'

const KEY = 'k'.repeat(64)
const place = { projectId: 'prj_1', url: 'https://github.com/acme/shop.git' }
const token = { kind: 'token', token: 'ghp_secretsecret' } as const
const folder = temporaryFolder()
afterAll(() => folder.remove())

const run = promisify(execFile)

/** The smallest there are: only their form matters. */
async function newKey(name: string, ...options: string[]): Promise<string> {
  const path = join(folder.path, name)
  await run('ssh-keygen', ['-q', '-f', path, '-C', '', '-a', '1', ...options])
  return readFileSync(path, 'utf8')
}

describe('a credential at rest', () => {
  it('comes back with the same key, project and address, and looks different every time', () => {
    const [one, two] = [sealCredential(KEY, place, token), sealCredential(KEY, place, token)]
    expect(one).not.toBe(two)
    expect(`${one}${two}`).not.toContain('secret')
    expect(Buffer.from(one?.slice(3) ?? '', 'base64url').toString('latin1')).not.toContain('secret')
    expect(openCredential(KEY, place, one)).toEqual(token)
    expect(openCredential(KEY, place, null)).toEqual({ kind: 'none' })
    expect(sealCredential(KEY, place, { kind: 'none' })).toBeNull()
  })

  it('opens for no other key, project or address, and not when a byte of it was changed', () => {
    const sealed = sealCredential(KEY, place, token)!
    const attempts = [
      () => openCredential(`${KEY}x`, place, sealed),
      () => openCredential(KEY, { ...place, projectId: 'prj_2' }, sealed),
      () => openCredential(KEY, { ...place, url: 'https://evil.example/x.git' }, sealed),
      () => openCredential(KEY, place, `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`),
      () => openCredential(KEY, place, sealed.slice(0, 20)),
      () => openCredential(KEY, place, 'v1.'),
      () => openCredential(KEY, place, ''),
    ]
    for (const attempt of attempts) expect(attempt).toThrow(/Connect the repository again/)
  })
})

describe('what is given', () => {
  it('as a token is one word', () => {
    expect(tokenCredential(' ghp_x\n')).toEqual({ kind: 'token', token: 'ghp_x' })
    for (const text of ['', ' ', 'a b', 'a\r\nX-Evil: 1', 'ü', 'x'.repeat(5_000)])
      expect(() => tokenCredential(text)).toThrow(/Copy it again/)
  })

  it('as a deploy key is a private key without a passphrase, in any of the usual forms', {
    timeout: 120_000,
  }, async () => {
    const [ed25519, ecdsa, rsa, locked, lockedPem, lockedPkcs8] = await Promise.all([
      newKey('ed25519', '-t', 'ed25519', '-N', ''),
      newKey('ecdsa', '-t', 'ecdsa', '-N', ''),
      newKey('rsa', '-t', 'rsa', '-b', '1024', '-N', '', '-m', 'PEM'),
      newKey('locked', '-t', 'ed25519', '-N', 'passphrase'),
      newKey('locked-pem', '-t', 'rsa', '-b', '1024', '-N', 'passphrase', '-m', 'PEM'),
      newKey('locked-pkcs8', '-t', 'ecdsa', '-N', 'passphrase', '-m', 'PKCS8'),
    ])
    for (const key of [ed25519, ecdsa, rsa]) {
      expect(deployKeyCredential(key.replaceAll('\n', '\r\n'))).toEqual({ kind: 'deploy_key', privateKey: key })
    }
    const refused = [
      locked,
      lockedPem,
      lockedPkcs8,
      readFileSync(join(folder.path, 'locked.pub'), 'utf8'),
      '',
      'ssh-ed25519 AAAA',
      '-----BEGIN PRIVATE KEY-----\n$(id)\n-----END PRIVATE KEY-----\n',
    ]
    for (const text of refused) expect(() => deployKeyCredential(text)).toThrow(/without a passphrase/)
  })
})
