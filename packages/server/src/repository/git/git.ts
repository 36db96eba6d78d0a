/** Git for this room: one place that knows where the mirrors are, which limits hold, and whether git is there at all. */

import { MINUTE_MS } from '@tidemark/wire/time/units'
import { atMost } from '../../at-most.ts'
import { AppError } from '../../errors.ts'
import { explainFailure } from './explain-failure.ts'
import { gitVersion, isNewEnough, LEAST_GIT } from './git-settings.ts'
import { type Remote, transportTo } from './remote.ts'
import { type GitCall, type GitEnd, runGit } from './run-git.ts'
import { inWorkFolder } from './work-folder.ts'

export type GitOptions = {
  /** The folder of all mirrors. */
  root: string
  /** Settings beside the hardening, for instance `http.sslCAInfo` for a private certificate authority. */
  extraConfig?: Readonly<Record<string, string>>
  searchPath?: string
  networkTimeoutMs?: number
  maxMirrorBytes?: number
  signal?: AbortSignal
}

type RemoteCall = Pick<GitCall, 'args' | 'gitDir' | 'config' | 'maxOutputBytes'> & {
  timeoutMs?: number
  /** The folder that must stay within the limit of a mirror. */
  quotaFolder?: string
}

export type Git = {
  readonly root: string
  /** Talks to the remote. Resolves to its output; any other outcome is an AppError that says what to do. */
  withRemote(remote: Remote, call: RemoteCall): Promise<Buffer>
  /** Works on a mirror, offline. */
  local(call: Pick<GitCall, 'args' | 'gitDir' | 'config' | 'input' | 'maxOutputBytes'> & LocalLimits): Promise<GitEnd>
}

type LocalLimits = { timeoutMs?: number; quotaFolder?: string }

const NETWORK_TIMEOUT_MS = 10 * MINUTE_MS
const MAX_MIRROR_BYTES = 2 * 1024 ** 3
const READ_TIMEOUT_MS = 20_000
/** Fetches are one at a time on top of that. */
const REMOTE_CALLS_AT_ONCE = 4
const READS_AT_ONCE = 4

export function createGit(options: GitOptions): Git {
  const { root, extraConfig = {}, searchPath, signal } = options
  const { networkTimeoutMs = NETWORK_TIMEOUT_MS, maxMirrorBytes = MAX_MIRROR_BYTES } = options
  const remoteTurn = atMost(REMOTE_CALLS_AT_ONCE)
  const readTurn = atMost(READS_AT_ONCE)
  let usable: Promise<void> | undefined
  const requireGit = () => {
    usable ??= checkVersion(root, searchPath).catch((error) => {
      // Somebody may install it meanwhile.
      usable = undefined
      throw error
    })
    return usable
  }
  const quotaOf = (folder: string | undefined) =>
    folder === undefined ? {} : { quota: { folder, maxBytes: maxMirrorBytes } }

  return {
    root,
    async withRemote(remote, { quotaFolder, timeoutMs = networkTimeoutMs, ...call }) {
      const inTurn = <Result>(work: (cwd: string) => Promise<Result>) => remoteTurn(() => inWorkFolder(root, work))
      return inTurn(async (cwd) => {
        await requireGit()
        const { transport, config, env } = transportTo(remote, cwd)
        const end = await runGit({
          ...call,
          ...quotaOf(quotaFolder),
          config: { ...config, ...call.config, ...extraConfig },
          env,
          cwd,
          transport,
          timeoutMs,
          signal,
          searchPath,
        })
        if (end.ended === 'exit' && end.code === 0) return end.stdout
        throw await explainFailure(remote, end, { maxMirrorBytes, timeoutMs, caFile: extraConfig['http.sslCAInfo'] })
      })
    },
    async local({ quotaFolder, timeoutMs = READ_TIMEOUT_MS, ...call }) {
      await requireGit()
      return readTurn(() => runGit({ ...call, ...quotaOf(quotaFolder), cwd: root, timeoutMs, signal, searchPath }))
    },
  }
}

async function checkVersion(root: string, searchPath: string | undefined): Promise<void> {
  const least = LEAST_GIT.join('.')
  const asked = { args: ['--version'], cwd: root, timeoutMs: 20_000, maxOutputBytes: 1_000, searchPath }
  const { stdout, ended } = await runGit(asked)
  const said = stdout.toString()
  if (isNewEnough(said)) return
  const version = gitVersion(said)
  const found = ended === 'exit' && version ? `git ${version.join('.')} is too old` : 'git is not installed'
  throw new AppError(
    'unavailable',
    `On the machine of the service ${found}: its operator has to install git ${least} or newer.`,
  )
}
