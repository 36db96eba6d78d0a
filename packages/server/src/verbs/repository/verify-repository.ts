/** Whether a repository can be connected as it was asked for, found out by really asking the remote. */
import type { ConnectRepositoryInput } from '@tidemark/wire/repository'
import { AppError } from '../../errors.ts'
import type { ProjectId } from '../../model/project.ts'
import { checkedBranch } from '../../repository/branch-name.ts'
import { deployKeyCredential, type RemoteCredential, tokenCredential } from '../../repository/credential.ts'
import type { RemoteState } from '../../repository/list-remote.ts'
import type { Remote } from '../../repository/remote.ts'
import type { RepositoryParts } from './repository-parts.ts'

export type VerifiedRepository = { remote: Remote; state: RemoteState; branch: string | null }

export async function verifyRepository(
  parts: RepositoryParts,
  projectId: ProjectId,
  input: ConnectRepositoryInput,
): Promise<VerifiedRepository> {
  const branch = input.branch === undefined || input.branch === null ? null : checkedBranch(input.branch)
  const given = givenCredential(input)
  const remote = await parts.remotes.open(input.url, given ?? { kind: 'none' })
  const credential = given ?? (await keptCredential(parts, projectId, remote.address.url))
  const checked = { ...remote, credential }
  return { remote: checked, state: await parts.remotes.list(checked, branch), branch }
}

/** Undefined to keep what is stored. */
function givenCredential({ token, deployKey, keepCredential }: ConnectRepositoryInput): RemoteCredential | undefined {
  if ([token !== undefined, deployKey !== undefined, keepCredential === true].filter(Boolean).length > 1) {
    throw new AppError('invalid_request', 'Give a token, or a deploy key, or keep what is stored: one of them only.')
  }
  if (token !== undefined) return tokenCredential(token)
  if (deployKey !== undefined) return deployKeyCredential(deployKey)
  return keepCredential === true ? undefined : { kind: 'none' }
}

/** Only for the address it was given for: elsewhere it would be handed to strangers. */
async function keptCredential(
  { control, remotes }: RepositoryParts,
  projectId: ProjectId,
  url: string,
): Promise<RemoteCredential> {
  const connected = await control.repositories.get(projectId)
  if (connected?.url === url) return remotes.credentialOf(connected)
  throw new AppError(
    'invalid_request',
    'A stored credential can be kept for the same address only: give the token or the deploy key again.',
  )
}
