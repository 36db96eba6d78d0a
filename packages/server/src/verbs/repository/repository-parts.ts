import type { Control } from '../../control/open.ts'
import type { CheckRemote } from '../../repository/check-remote.ts'
import type { MirrorKeeper } from '../../repository/mirror-keeper.ts'
import type { Remotes } from '../../repository/remotes.ts'

export type RepositoryParts = {
  control: Pick<Control, 'projects' | 'repositories'>
  remotes: Remotes
  check: CheckRemote
  /** Of this node. The command line has none: the mirrors of running services follow what it writes within seconds. */
  keeper?: Pick<MirrorKeeper, 'follow'>
}

/** Small repositories are copied within it, so that the answer says `ready`; larger ones go on in the background. */
export const FOLLOW_MS = 5_000
