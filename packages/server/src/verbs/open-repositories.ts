/** Assembles connected repositories for the service and for the command line. */
import type { Control } from '../control/open.ts'
import type { Log } from '../log.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { createCheckRemote } from '../repository/check-remote.ts'
import { openMirrors } from '../repository/mirror/mirrors.ts'
import { startMirrorKeeper } from '../repository/mirror-keeper.ts'
import { createRemotes } from '../repository/remotes.ts'
import { openRepositoryVerbs } from './repository.ts'

type Options = { allowLocal: boolean; control: Control; dataDir: string; secretKey: string }

/** Without mirrors: running services follow what is changed here. */
export function openRepositoryOperator(options: Options) {
  return openRepositoryVerbs({ ...connectedTo(options), now: Date.now })
}

/** `signal` ends what git is doing at that moment; `keeper.close()` waits for it. */
export function openRepositories({ log, signal, ...options }: Options & { log: Log; signal: AbortSignal }) {
  const { control, remotes, check } = connectedTo({ ...options, signal })
  const mirrors = openMirrors(remotes.git, Date.now())
  const keeper = startMirrorKeeper({ repositories: control.repositories, remotes, mirrors, check, log })
  return {
    keeper,
    verbs: openRepositoryVerbs({ control, remotes, check, keeper, now: Date.now }),
    check,
  }
}

function connectedTo({ allowLocal, control, dataDir, secretKey, signal }: Options & { signal?: AbortSignal }) {
  const checkHost = createAddressGuard({ allowPrivate: allowLocal })
  const remotes = createRemotes({ dataDir, secretKey, allowLocal, checkHost, ...(signal && { signal }) })
  return { control, remotes, check: createCheckRemote({ repositories: control.repositories, remotes }) }
}
