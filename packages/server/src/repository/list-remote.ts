/** What a remote has, without copying anything: also the proof that address and credential are right. */
import { createHash } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { Git } from './git/git.ts'
import type { Remote } from './git/remote.ts'
import { FULL_HASH } from './repository-mirror.ts'

export type RemoteState = {
  /** The branch asked for, or the remote's default. */
  branch: string
  headSha: string
  /** Over all branches and tags. */
  refsDigest: string
}

/** Some 100,000 branches and tags; more is refused. */
const MAX_LISTING_BYTES = 8 * 1024 * 1024
const LIST_TIMEOUT_MS = 60_000

export async function listRemote(git: Git, remote: Remote, branch: string | null): Promise<RemoteState> {
  const listing = await git.withRemote(remote, {
    args: ['ls-remote', '--symref', '--', remote.address.url, 'HEAD', 'refs/heads/*', 'refs/tags/*'],
    maxOutputBytes: MAX_LISTING_BYTES,
    timeoutMs: LIST_TIMEOUT_MS,
  })
  return readListing(listing.toString('utf8'), branch)
}

function readListing(text: string, asked: string | null): RemoteState {
  const heads = new Map<string, string>()
  const digest = createHash('sha256')
  let symbolic: string | undefined
  let head: string | undefined
  for (const line of text.split('\n')) {
    const [value = '', name = ''] = line.split('\t')
    if (name === 'HEAD' && value.startsWith('ref: refs/heads/')) symbolic = value.slice('ref: refs/heads/'.length)
    else if (!FULL_HASH.test(value)) continue
    else if (name === 'HEAD') head = value
    else if (name.startsWith('refs/heads/')) heads.set(name.slice('refs/heads/'.length), value)
    if (name.startsWith('refs/heads/') || name.startsWith('refs/tags/')) digest.update(`${value} ${name}\n`)
  }
  if (heads.size === 0)
    throw refused(
      'There are no branches at this address: push some commits first, or check that it is the address of a repository.',
    )
  const followed = asked ?? symbolic ?? [...heads].find(([, sha]) => sha === head)?.[0]
  if (followed === undefined) {
    throw refused('The remote does not say which branch is its default: name the branch to follow.')
  }
  const headSha = heads.get(followed)
  if (headSha === undefined) {
    throw refused(
      `The repository has no branch "${shown(followed)}". It has: ${[...heads.keys()].slice(0, 10).map(shown).join(', ')}.`,
    )
  }
  return { branch: followed, headSha, refsDigest: digest.digest('hex') }
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message, { fields: [{ path: 'branch', message }] })
}

/** Names of branches are a stranger's text. */
function shown(name: string): string {
  return name.replace(/[^\x21-\x7e]/g, '?').slice(0, 80)
}
