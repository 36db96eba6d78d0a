/** The git repository of a project: what people and the operator can do with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CopyState } from '@tidemark/wire/copy-state'
import type { ConnectRepositoryInput, RepositoryAnswer, Repository as RepositoryView } from '@tidemark/wire/repository'
import type { Control } from '../control/open.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../model/caller.ts'
import type { ProjectId } from '../model/project.ts'
import type { Repository } from '../model/repository.ts'
import { checkedBranch } from '../repository/branch-name.ts'
import { CHECK_EVERY_MS, type CheckRemote } from '../repository/check-remote.ts'
import { deployKeyCredential, type RemoteCredential, tokenCredential } from '../repository/git/credential.ts'
import type { Remote } from '../repository/git/remote.ts'
import type { RemoteState } from '../repository/list-remote.ts'
import type { MirrorKeeper } from '../repository/mirror-keeper.ts'
import type { Remotes } from '../repository/remotes.ts'
import { changeBy, requireManager } from './access.ts'
import { bindAll } from './bind-all.ts'

type RepositoryParts = {
  control: Pick<Control, 'projects' | 'repositories'>
  remotes: Remotes
  check: CheckRemote
  /** Of this node. The command line has none: the mirrors of running services follow what it writes within seconds. */
  keeper?: Pick<MirrorKeeper, 'follow' | 'copyingSince'>
  now: () => number
}

export type RepositoryVerbs = ReturnType<typeof openRepositoryVerbs>

export function openRepositoryVerbs(parts: RepositoryParts) {
  return bindAll(parts, {
    show: showRepository,
    connect: connectRepository,
    sync: syncRepository,
    disconnect: disconnectRepository,
  })
}

/** Small repositories are copied within it, so that the answer says `ready`; larger ones continue in the background. */
const FOLLOW_MS = 5_000
/** People can have a remote asked at most this often; a request that comes sooner waits a little. */
const SYNC_AT_MOST_EVERY_MS = 1_000
const WAIT_MS = 250
const MAX_WAITS = 8

/** Every member may see it, never the credential. */
export async function showRepository(
  parts: Pick<RepositoryParts, 'control' | 'keeper'>,
  caller: Caller,
  input: { project: string },
): Promise<RepositoryAnswer> {
  const { id } = await requireManager(parts, caller, { ...input, least: 'viewer' })
  const connected = await parts.control.repositories.get(id)
  return { repository: connected ? repositoryView(connected, parts) : null }
}

/**
 * Asks the remote first, so that nothing that cannot be read is stored; replaces what was connected. The answer knows
 * the branch and its newest commit at once; `state` says whether the copy is there already.
 */
async function connectRepository(
  parts: RepositoryParts,
  caller: Caller,
  { project, ...input }: ConnectRepositoryInput & { project: string },
): Promise<RepositoryView> {
  const { control, remotes, keeper } = parts
  const { id } = await requireManager(parts, caller, { project, least: 'owner' })
  const { remote, state, branch } = await verifyRepository(parts, id, input)
  const change = changeBy(parts, caller)
  const connected = await control.repositories.connect(
    id,
    {
      url: remote.address.url,
      kind: remote.address.kind,
      credentialKind: remote.credential.kind,
      sealedCredential: remotes.seal(id, remote),
      branch,
      defaultBranch: state.branch,
      headSha: state.headSha,
      refsDigest: state.refsDigest,
      nextCheckAtMs: change.nowMs + CHECK_EVERY_MS,
    },
    change,
  )
  await keeper?.follow(id, FOLLOW_MS)
  return repositoryView((await control.repositories.get(id)) ?? connected, parts)
}

/** Asks the remote now, and makes every node copy what it has. */
async function syncRepository(
  parts: RepositoryParts,
  caller: Caller,
  input: { project: string },
): Promise<RepositoryView> {
  const { control, check, keeper } = parts
  const { id } = await requireManager(parts, caller, { ...input, least: 'member' })
  const connected = await control.repositories.get(id)
  if (!connected) throw noRepository()
  await takeTurn(parts, id)
  const checked = await check(connected, { force: true })
  if (!checked) throw noRepository()
  await keeper?.follow(id, FOLLOW_MS)
  return repositoryView((await control.repositories.get(id)) ?? checked, parts)
}

/** Forgets the credential at once; mirrors are removed within seconds, on every node. False when none was connected. */
async function disconnectRepository(
  parts: RepositoryParts,
  caller: Caller,
  input: { project: string },
): Promise<{ changed: boolean }> {
  const { id } = await requireManager(parts, caller, { ...input, least: 'owner' })
  const changed = await parts.control.repositories.disconnect(id, changeBy(parts, caller))
  await parts.keeper?.follow(id, 0)
  return { changed }
}

type VerifiedRepository = { remote: Remote; state: RemoteState; branch: string | null }

/** Whether it can be connected as requested, found out by really asking the remote. */
async function verifyRepository(
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
    throw new AppError(
      'invalid_request',
      'Give a token or a deploy key, or keep what is stored: only one of the three.',
    )
  }
  if (token !== undefined) return tokenCredential(token)
  if (deployKey !== undefined) return deployKeyCredential(deployKey)
  return keepCredential === true ? undefined : { kind: 'none' }
}

/** Only for the address it was given for: anywhere else it would be disclosed to strangers. */
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

async function takeTurn({ control, now }: RepositoryParts, id: ProjectId): Promise<void> {
  for (let wait = 0; wait < MAX_WAITS; wait += 1) {
    const nowMs = now()
    if (await control.repositories.claimCheck(id, nowMs - SYNC_AT_MOST_EVERY_MS, nowMs)) return
    await sleep(WAIT_MS)
  }
  throw new AppError('rate_limited', 'The repository is already being synced: reload in a moment.')
}

function noRepository(): AppError {
  return new AppError('not_found', 'No repository is connected to this project: connect one first.')
}

/** Lists the fields one by one, so that a new column, or the credential, is never given out by accident. */
function repositoryView(repository: Repository, { keeper }: Pick<RepositoryParts, 'keeper'>): RepositoryView {
  return {
    url: repository.url,
    kind: repository.kind,
    credential: repository.credentialKind,
    branch: repository.branch,
    defaultBranch: repository.defaultBranch,
    headSha: repository.headSha,
    ...copyStateOf(repository, keeper),
    connectedAt: repository.connectedAt,
    connectedBy: repository.connectedBy,
  }
}

/** The newest copy of any node. Only a service knows what it is copying now. */
export function copyStateOf(
  { projectId, mirroredGeneration, lastSyncedAt, lastError, failedAt }: Repository,
  keeper?: Pick<MirrorKeeper, 'copyingSince'>,
): CopyState {
  return {
    state: lastError !== null ? 'failing' : mirroredGeneration === null ? 'mirroring' : 'ready',
    copyingSince: keeper?.copyingSince(projectId) ?? null,
    ...{ lastSyncedAt, lastError, failedAt },
  }
}
