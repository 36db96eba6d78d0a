/** With an `ssh` of our own that writes down how it was called and then is the host: git itself is real. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deployKeyCredential, type RemoteCredential } from './git/credential.ts'
import { createRemotes } from './remotes.ts'
import { createSource, temporaryFolder } from './testing/source-repository.ts'

let folder: ReturnType<typeof temporaryFolder>
let credential: RemoteCredential
let seen: string
beforeEach(() => {
  folder = temporaryFolder()
  seen = join(folder.path, 'seen')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', join(folder.path, 'id')])
  credential = deployKeyCredential(readFileSync(join(folder.path, 'id'), 'utf8'))
})
afterEach(() => folder.remove())

/** `end` is what it does after it has written everything down. */
function remotesWith(end: string) {
  writeFileSync(
    join(folder.path, 'ssh'),
    `#!/bin/sh\n{ printf '%s\\n' "$@"; echo =====; stat -c '%a' key; cat key; echo =====; env; } > '${seen}'\n${end}\n`,
    { mode: 0o755 },
  )
  return createRemotes({
    // A folder that a shell or ssh would take apart.
    dataDir: join(folder.path, "it's a; folder %h"),
    secretKey: 's'.repeat(32),
    allowLocal: false,
    checkHost: async () => ['203.0.113.7', '2606:4700::1111'],
    searchPath: `${folder.path}:/usr/bin:/bin`,
  })
}

describe('a remote over ssh', () => {
  it('is reached at the checked address with the deploy key alone, which is gone afterwards', async () => {
    const source = createSource(folder.path)
    const sha = source.commit()
    const remotes = remotesWith(`exec git-upload-pack '${source.path}'`)
    const remote = await remotes.open('git@github.com:acme/shop.git', credential)
    expect(await remotes.list(remote, null)).toMatchObject({ branch: 'main', headSha: sha })

    const [args = '', key = '', environment = ''] = readFileSync(seen, 'utf8').split('=====\n')
    const options = args.split('\n')
    expect(options.slice(0, 4)).toEqual(['-F', '/dev/null', '-i', 'key'])
    for (const option of [
      'HostName=203.0.113.7',
      'HostKeyAlias=github.com',
      'IdentitiesOnly=yes',
      'IdentityAgent=none',
      'BatchMode=yes',
      'StrictHostKeyChecking=accept-new',
      'UserKnownHostsFile=../known_hosts',
      'ProxyCommand=none',
    ])
      expect(options).toContain(option)
    expect(options.slice(-3)).toEqual(['git@github.com', "git-upload-pack 'acme/shop.git'", ''])
    // The real one understands every option, and goes where it is told.
    const understood = execFileSync('ssh', ['-G', ...options.slice(0, -2)], { encoding: 'utf8', stdio: 'pipe' })
    expect(understood).toMatch(/^hostname 203\.0\.113\.7$/m)
    expect(understood).toMatch(/^userknownhostsfile \.\.\/known_hosts$/m)
    expect(key).toBe(`600\n${credential.kind === 'deploy_key' ? credential.privateKey : ''}`)
    expect(environment).not.toMatch(/PRIVATE KEY|SSH_AUTH_SOCK/)
    expect(environment).toContain('HOME=/nonexistent')
    expect(readdirSync(remotes.git.root)).toEqual([])
  })

  it('that lets nobody in is told, and the key is gone then too', async () => {
    const remotes = remotesWith('echo Permission denied >&2; exit 255')
    const remote = await remotes.open('ssh://git@git.example.com:2222/acme/shop.git', credential)
    await expect(remotes.list(remote, null)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('git.example.com did not let the service read the repository over ssh'),
    })
    expect(readFileSync(seen, 'utf8')).toContain('HostKeyAlias=git.example.com-2222')
    expect(readdirSync(remotes.git.root)).toEqual([])
  })

  it.each([
    ['git@git.example.com: Permission denied (publickey).', 'git.example.com refuses the deploy key'],
    ['Host key verification failed.', 'git.example.com shows another host key than before'],
    [
      'ssh: connect to host git.example.com port 22: Connection refused',
      'git.example.com cannot be reached on port 22',
    ],
    ['remote: fatal: unable to read 6e742d3285c4f3418cd80ce19c972919f0ada511', 'some are missing or damaged'],
    [
      'error: object 6e742d3285c4f3418cd80ce19c972919f0ada511: treeNotSorted: not properly sorted',
      'Git refuses a malformed object in the repository at git.example.com (treeNotSorted)',
    ],
  ])('explains "%s" in words of our own', async (prose, message) => {
    const remotes = remotesWith(`echo '${prose}' >&2; exit 255`)
    const remote = await remotes.open('git@git.example.com:acme/shop.git', credential)
    await expect(remotes.list(remote, null)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(message),
    })
  })

  it('needs a deploy key', async () => {
    const remotes = remotesWith('exit 1')
    for (const other of [{ kind: 'none' }, { kind: 'token', token: 'x' }] satisfies RemoteCredential[])
      await expect(
        remotes.open('git@github.com:acme/shop.git', other).then((remote) => remotes.list(remote, null)),
      ).rejects.toThrow('Over ssh a deploy key is needed')
    expect(existsSync(seen)).toBe(false)
  })
})
