/** How far the service's copy of a repository is, without schemas, so that the browser and the command line may load it. */
export type CopyState = {
  state: 'ready' | 'mirroring' | 'failing'
  /** When the copying that is under way started; null while nothing is copied, and where the reader cannot know it. */
  copyingSince: string | null
  /** When the last attempt to reach or copy the repository failed; null after a success. */
  failedAt: string | null
  /** Why, and what to do about it. */
  lastError: string | null
  /** When the copy was last known to have everything that the repository has; null without a copy. */
  lastSyncedAt: string | null
}

/** Continues a sentence whose subject is the repository. Ends without a full stop, except after an error. */
export function formatCopyState({ state, copyingSince, failedAt, lastError, lastSyncedAt }: CopyState): string {
  if (state === 'ready') return `copied, and up to date as of ${lastSyncedAt}`
  if (state === 'mirroring') {
    return copyingSince === null ? 'waiting for the service to copy it' : `being copied since ${copyingSince}`
  }
  const attempt = failedAt === null ? 'the last attempt failed' : `the attempt at ${failedAt} failed`
  const before = lastSyncedAt === null ? 'not copied' : `copied as of ${lastSyncedAt}, but not up to date`
  const again = copyingSince === null ? '' : ` It is being copied again since ${copyingSince}.`
  return `${before}: ${attempt}. ${lastError}${again}`
}
