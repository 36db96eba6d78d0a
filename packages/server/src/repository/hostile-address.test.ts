/** Every hostile address and branch goes the whole way that a person's goes, with real git at its end. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import type { RemoteAddress } from './git/remote-address.ts'
import { runGit } from './git/run-git.ts'
import { createRemotes, type Remotes } from './remotes.ts'
import { createSource, temporaryFolder } from './testing/source-repository.ts'

const NUL = String.fromCharCode(0)
let folder: ReturnType<typeof temporaryFolder>
let remotes: Remotes
let canary: string
let path: string

beforeAll(() => {
  folder = temporaryFolder()
  canary = join(folder.path, 'canary')
  const source = createSource(folder.path)
  source.commit()
  path = source.path
  const dataDir = join(folder.path, 'data')
  mkdirSync(dataDir)
  // Everybody would be let in by name: what is refused here is refused for another reason.
  const checkHost = createAddressGuard({ allowPrivate: false, resolve: async () => ['127.0.0.1'] })
  remotes = createRemotes({ dataDir, secretKey: 's'.repeat(32), allowLocal: false, checkHost })
})
afterAll(() => folder.remove())

function hostileAddresses(): string[] {
  const touch = `touch ${canary}`
  return [
    `ext::sh -c ${touch}`,
    `ext::sh -c '${touch}' %S`,
    `fd::17/${canary}`,
    `file://${path}`,
    `file://localhost${path}`,
    `file:${path}`,
    path,
    '../source',
    './source',
    '.',
    '~/source',
    `--upload-pack=${touch};git-upload-pack`,
    `-u${touch}`,
    `--config=core.sshCommand=${touch}`,
    'http://github.com/acme/shop.git',
    'git://github.com/acme/shop.git',
    'ftp://github.com/acme/shop.git',
    'ssh+git://github.com/acme/shop.git',
    `ssh://-oProxyCommand=${touch}/x`,
    `ssh://git@-oProxyCommand=touch%20${canary}/x`,
    `-oProxyCommand=${touch}:x`,
    `git@-oProxyCommand=touch:x`,
    `-oProxyCommand=x@github.com:x`,
    `git@github.com:-x`,
    `git@github.com:x;${touch}`,
    `git@github.com:$(touch${canary})`,
    'git@github.com:x`id`',
    `ssh://git@github.com/x';${touch};'`,
    `https://github.com/x\n--upload-pack=${touch}`,
    `https://github.com/x.git${NUL}y`,
    'https://github.com%0a.evil.example/x.git',
    'https://user%0a:x@github.com/x.git',
    'https://ada:s3cret@github.com/acme/shop.git',
    'https://token@github.com/acme/shop.git',
    'https://127.0.0.1/x.git',
    'https://2130706433/x.git',
    'https://0x7f.1/x.git',
    'https://[::1]/x.git',
    'https://[::ffff:127.0.0.1]/x.git',
    'https://localhost/x.git',
    'https://private.example/x.git',
    'https://github.com:22/x.git',
    'https://github.com:8080/x.git',
    'https://github.com./x.git',
    'https://gïthub.com/x.git',
    'https://ｇithub.com/x.git',
    'https://git\u202ehub.com/x.git',
    'https://github.com\\@evil.example/x.git',
    'https://github.com/x.git?service=x',
    'https://github.com/x.git#x',
    'https://github.com',
    'https://',
    'https:x',
    `::${path}`,
    `transport::${path}`,
    'C:\\git\\x',
    'x'.repeat(3_000),
    ' https://github.com/x.git',
    '',
  ]
}

describe('a hostile address', () => {
  it('is refused as a mistake of the sender; nothing runs and nothing is fetched', async () => {
    const addresses = hostileAddresses()
    expect(addresses.length).toBeGreaterThan(40)
    for (const address of addresses) {
      const error = await remotes
        .open(address, { kind: 'none' })
        .then((remote) => remotes.list(remote, null))
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
      expect(error, JSON.stringify(address)).toBeInstanceOf(AppError)
      expect(error, JSON.stringify(address)).toMatchObject({ code: 'invalid_request' })
    }
    expect(existsSync(canary)).toBe(false)
    expect(readdirSync(remotes.git.root)).toEqual([])
  })

  it('that slipped through would still find every other transport closed and no option read', async () => {
    const hook = join(folder.path, 'git-remote-evil')
    writeFileSync(hook, `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 })
    for (const url of [
      ...hostileAddresses().filter((one) => one !== '' && !one.includes(NUL)),
      'evil::x',
      `--upload-pack=touch ${canary};git-upload-pack`,
    ]) {
      // Names that could be resolved and reached are not what is tried here.
      if (/^https:|github\.com/.test(url)) continue
      const end = await runGit({
        args: ['ls-remote', '--', url],
        cwd: folder.path,
        transport: 'https',
        timeoutMs: 20_000,
        maxOutputBytes: 10_000,
        searchPath: `${folder.path}:/usr/bin:/bin`,
      })
      expect({ ...end, stderr: '' }, url).toMatchObject({ ended: 'exit', code: 128 })
    }
    expect(existsSync(canary)).toBe(false)
  })

  it('is found by the canary when the walls are taken away, so the canary works', async () => {
    const address = `--upload-pack=touch ${canary};git-upload-pack`
    await runGit({
      args: ['ls-remote', address, path],
      cwd: folder.path,
      transport: 'file',
      timeoutMs: 20_000,
      maxOutputBytes: 10_000,
    })
    expect(existsSync(canary)).toBe(true)
  })
})

describe('a local path that is allowed', () => {
  it('is still only a path', async () => {
    const allowed = createRemotes({
      dataDir: join(folder.path, 'data'),
      secretKey: 's'.repeat(32),
      allowLocal: true,
      checkHost: async () => [],
    })
    const remote = await allowed.open(path, { kind: 'none' })
    expect(remote.address).toEqual({ kind: 'local', url: path } satisfies RemoteAddress)
    expect(await allowed.list(remote, null)).toMatchObject({ branch: 'main' })
    await expect(
      allowed.open(path, { kind: 'token', token: 'x' }).then((one) => allowed.list(one, null)),
    ).rejects.toThrow('A path needs no credential')
    await expect(
      allowed.open(`${path}-none`, { kind: 'none' }).then((one) => allowed.list(one, null)),
    ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('check the path') })
    await expect(
      allowed.open(folder.path, { kind: 'none' }).then((one) => allowed.list(one, null)),
    ).rejects.toMatchObject({ message: expect.stringContaining("isn't a git repository") })
    await expect(
      allowed.open(fileURLToPath(import.meta.url), { kind: 'none' }).then((one) => allowed.list(one, null)),
    ).rejects.toMatchObject({ message: expect.stringContaining('is a file: give the folder of a repository') })
    await expect(allowed.list(remote, 'develop')).rejects.toThrow('has no branch "develop". It has: main.')
  })
})
