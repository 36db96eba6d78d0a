/** Against a real git host over TLS, whose name exists in no name server: whoever reaches it used the pinned address. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAddressGuard } from '../outbound/address-guard.ts'
import type { RemoteCredential } from './git/credential.ts'
import type { GitOptions } from './git/git.ts'
import { fetchMirror } from './mirror/fetch-mirror.ts'
import { createRemotes, type Remotes } from './remotes.ts'
import { type GitServer, startGitServer } from './testing/git-server.ts'
import { createSource, type SourceRepository, temporaryFolder } from './testing/source-repository.ts'

const HOST = 'git.nowhere.invalid'
const TOKEN = 'ghp_thisIsTheToken'
const BASIC = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`
const NONE: RemoteCredential = { kind: 'none' }

let folder: ReturnType<typeof temporaryFolder>
let source: SourceRepository
let server: GitServer
let asked: string[]

beforeEach(() => {
  folder = temporaryFolder()
  source = createSource(folder.path, 'shop.git')
  source.commit()
  asked = []
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const serve = async (options: Partial<Parameters<typeof startGitServer>[0]> = {}) => {
  server = await startGitServer({ folder: folder.path, host: HOST, ...options })
  return server
}

function remotesTo(addresses: string[], options: Partial<GitOptions> & { allowLocal?: boolean } = {}): Remotes {
  const { allowLocal = true, ...git } = options
  const resolve = async (host: string) => {
    asked.push(host)
    return addresses
  }
  return createRemotes({
    dataDir: join(folder.path, 'data'),
    secretKey: 's'.repeat(32),
    allowLocal,
    checkHost: createAddressGuard({ allowPrivate: allowLocal, resolve }),
    extraConfig: { 'http.sslCAInfo': server.caFile },
    ...git,
  })
}

async function list(remotes: Remotes, credential = NONE, path = '/shop.git') {
  const remote = await remotes.open(`https://${HOST}:${server.port}${path}`, credential)
  return remotes.list(remote, null)
}

describe('a remote over https', () => {
  it('is reached at the address that was checked; its name is resolved once and by us alone', async () => {
    await serve()
    const state = await list(remotesTo(['127.0.0.1']))
    expect(state).toMatchObject({ branch: 'main', headSha: source.git('rev-parse', 'HEAD') })
    expect(asked).toEqual([HOST])
    expect(server.requests.length).toBeGreaterThan(0)
  })

  it('is not reached when another address was checked, whoever listens elsewhere', async () => {
    await serve()
    const remotes = remotesTo(['127.0.0.2'], { networkTimeoutMs: 20_000 })
    await expect(list(remotes)).rejects.toMatchObject({
      code: 'invalid_request',
      message: `${HOST} cannot be reached on port ${server.port}: check the address, or try later.`,
    })
    expect(server.connections()).toBe(0)
  })

  it('at a private address is refused before anything is sent', async () => {
    await serve()
    const remotes = remotesTo(['127.0.0.1'], { allowLocal: false })
    await expect(remotes.open(`https://${HOST}/shop.git`, NONE)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('private to this network'),
    })
    expect(server.connections()).toBe(0)
  })

  it('gets the token in a header, and neither arguments nor files ever hold it', async () => {
    await serve({ authorization: BASIC })
    const remotes = remotesTo(['127.0.0.1'])
    expect(await list(remotes, { kind: 'token', token: TOKEN })).toMatchObject({ branch: 'main' })
    expect(server.requests.every(({ authorization }) => authorization === BASIC)).toBe(true)
    expect(server.requests.map(({ path }) => path).join()).not.toContain(TOKEN)
    expect(readdirSync(remotes.git.root)).toEqual([])
  })

  it('takes user and token as they are given together', async () => {
    await serve({ authorization: `Basic ${Buffer.from(`x-token-auth:${TOKEN}`).toString('base64')}` })
    expect(await list(remotesTo(['127.0.0.1']), { kind: 'token', token: `x-token-auth:${TOKEN}` })).toMatchObject({
      branch: 'main',
    })
  })

  it('that refuses the token, or wants one, is told apart, without the token in the words', async () => {
    await serve({ authorization: BASIC })
    const remotes = remotesTo(['127.0.0.1'])
    const wrong = await list(remotes, { kind: 'token', token: 'ghp_wrongwrong' }).catch((error) => error)
    expect(wrong).toMatchObject({
      code: 'invalid_request',
      message: `${HOST} refuses the access token: check that it is not expired and may read this repository.`,
    })
    expect(`${wrong.message}${wrong.cause}`).not.toMatch(/ghp_|eC1hY2/)
    await expect(list(remotes)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('wants an access token'),
    })
  })

  it('that has no such repository is told', async () => {
    await serve()
    await expect(list(remotesTo(['127.0.0.1']), NONE, '/none.git')).rejects.toMatchObject({
      code: 'invalid_request',
      message: `${HOST} has no repository at this address, or the token cannot see it: check both.`,
    })
  })

  it('is not followed to where it redirects, and the token goes nowhere', async () => {
    const elsewhere = await startGitServer({ folder: folder.path, host: HOST })
    await serve({
      instead: (request, response) => {
        response.writeHead(302, { location: `https://127.0.0.1:${elsewhere.port}${request.url}` }).end()
        return true
      },
    })
    const caught = list(remotesTo(['127.0.0.1']), { kind: 'token', token: TOKEN })
    await expect(caught).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('points to another address, which is not followed'),
    })
    expect(elsewhere.connections()).toBe(0)
    await elsewhere.stop()
  })

  it('with a certificate that nobody vouches for is refused', async () => {
    await serve()
    await expect(list(remotesTo(['127.0.0.1'], { extraConfig: {} }))).rejects.toMatchObject({
      code: 'invalid_request',
      message: `The certificate of ${HOST} is not trusted: check the address and its certificate.`,
    })
    expect(server.requests).toEqual([])
  })

  it('that never answers is given up after the time that is set, with all that git started', async () => {
    await serve({ instead: () => true })
    const remotes = remotesTo(['127.0.0.1'])
    const remote = await remotes.open(`https://${HOST}:${server.port}/shop.git`, NONE)
    const call = { args: ['ls-remote', '--', remote.address.url], maxOutputBytes: 1_000, timeoutMs: 1_500 }
    // Only our own timers, so that the time is over when git has asked, and not before.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const given = expect(remotes.git.withRemote(remote, call)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('took longer than 2 s'),
    })
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBeGreaterThan(0)
    vi.advanceTimersByTime(call.timeoutMs)
    await given
    await expect.poll(() => processesNaming(HOST), { timeout: 10_000 }).toEqual([])
  })

  it('ends with the service that asks it', async () => {
    await serve({ instead: () => true })
    const stopping = new AbortController()
    const asking = list(remotesTo(['127.0.0.1'], { signal: stopping.signal }))
    await Promise.all([
      expect(asking).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('stopping') }),
      expect
        .poll(() => server.requests.length, { timeout: 10_000 })
        .toBeGreaterThan(0)
        .then(() => stopping.abort()),
    ])
    expect(processesNaming(HOST)).toEqual([])
  })

  it('that answers with something else than git is told', async () => {
    await serve({
      instead: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>')
        return true
      },
    })
    await expect(list(remotesTo(['127.0.0.1']))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('check that it is the address of a repository'),
    })
  })

  it('that breaks off in the middle is told', async () => {
    await serve({
      instead: (request, response) => {
        if (request.method !== 'POST') return false
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' }).end('0011nonsense')
        return true
      },
    })
    await expect(list(remotesTo(['127.0.0.1']))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('is not a sound git repository'),
    })
  })

  it('that lacks objects is reported as damaged, not as unreadable', async () => {
    const blob = source.git('rev-parse', 'HEAD:a.txt')
    rmSync(join(source.path, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    await serve()
    const { git, open } = remotesTo(['127.0.0.1'])
    const remote = await open(`https://${HOST}:${server.port}/shop.git`, NONE)
    await expect(fetchMirror(git, remote, join(folder.path, 'copy'), 'main')).rejects.toMatchObject({
      code: 'invalid_request',
      message: `Git could not read every object of the repository at ${HOST}: some are missing or damaged. Find them there with git fsck, and repair it or connect a complete clone.`,
    })
  })

  it.each([500, 503])('that answers %i is told, for the address may be wrong', async (status) => {
    await serve({
      instead: (_, response) => {
        response.writeHead(status).end()
        return true
      },
    })
    await expect(list(remotesTo(['127.0.0.1']))).rejects.toMatchObject({
      code: 'invalid_request',
      message: `${HOST} answered with status ${status}: try again later, or check the address.`,
    })
  })

  it('without commits, or whose default branch is not said, is told', async () => {
    createSource(folder.path, 'empty.git')
    source.git('checkout', '-q', '--detach')
    source.commit()
    await serve()
    const remotes = remotesTo(['127.0.0.1'])
    await expect(list(remotes, NONE, '/empty.git')).rejects.toThrow('push some commits first')
    await expect(list(remotes)).rejects.toThrow('does not say which branch is its default')
  })
})

/** Command lines of running processes that name the text. */
function processesNaming(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .filter((line) => line.includes(text))
}
