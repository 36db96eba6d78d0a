import type { DeployCommits } from './deploy.ts'

/**
 * What a deploy did with the commits that are listed with it, in words after "it". A rollback to another line of history
 * takes none of them back: they are the ones that run again.
 */
export function commitWords({ step }: Pick<DeployCommits, 'step'>, isRollback: boolean): string {
  if (step === 'rollback') return 'took back'
  return isRollback ? 'brought back' : 'brought'
}
