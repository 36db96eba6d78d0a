/** Remotes as people name them and as the control store keeps them, checked each time before git may talk to them. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORIES_FOLDER } from '../folder/names.ts'
import type { Repository } from '../model/repository.ts'
import { openCredential, type RemoteCredential, sealCredential } from './git/credential.ts'
import { createGit, type Git, type GitOptions } from './git/git.ts'
import type { Remote } from './git/remote.ts'
import { parseRemoteAddress } from './git/remote-address.ts'
import { listRemote, type RemoteState } from './list-remote.ts'

type RemotesOptions = Omit<GitOptions, 'root'> & {
  dataDir: string
  secretKey: string
  allowLocal: boolean
  /** Resolves to the addresses of a host that may be connected to; rejects for all others. */
  checkHost: (host: string) => Promise<string[]>
}

export type Remotes = {
  readonly git: Git
  /** What was typed, as a remote that may be talked to. */
  open(url: string, credential: RemoteCredential): Promise<Remote>
  /** The remote of a connected repository; its host is looked up and checked again. */
  reopen(repository: Repository): Promise<Remote>
  list(remote: Remote, branch: string | null): Promise<RemoteState>
  credentialOf(repository: Repository): RemoteCredential
  seal(projectId: string, remote: Remote): string | null
}

export function createRemotes({ dataDir, secretKey, allowLocal, checkHost, ...options }: RemotesOptions): Remotes {
  const root = join(dataDir, REPOSITORIES_FOLDER)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const git = createGit({ ...options, root })

  async function open(url: string, credential: RemoteCredential): Promise<Remote> {
    const address = parseRemoteAddress(url, { allowLocal })
    const addresses = address.kind === 'local' ? [] : await checkHost(address.host)
    return { address, credential, addresses }
  }

  const credentialOf = ({ projectId, url, sealedCredential }: Repository) =>
    openCredential(secretKey, { projectId, url }, sealedCredential)

  return {
    git,
    open,
    reopen: async (repository) => open(repository.url, credentialOf(repository)),
    list: (remote, branch) => listRemote(git, remote, branch),
    credentialOf,
    seal: (projectId, { address, credential }) =>
      sealCredential(secretKey, { projectId, url: address.url }, credential),
  }
}
