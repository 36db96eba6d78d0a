/** Why a connected repository answers nothing right now, as a sentence and as the end of another one. */
import { formatCopyState } from '@tidemark/wire/copy-state'
import type { UncopiedRepository } from '../../repository/mirror-keeper.ts'

export type UnreadRepository = { sentence: string; reason: string }

export const REPOSITORY_NOT_READ: UnreadRepository = {
  sentence: 'The copy of the repository could not be read: try again in a moment.',
  reason: 'its copy could not be read, try again in a moment',
}

/** A copy that failed is not asked for again in a moment: somebody has to act on the reason first. */
export function uncopiedRepository({ copy }: UncopiedRepository): UnreadRepository {
  const state = formatCopyState(copy)
  if (copy.state === 'failing') return { sentence: `The repository is ${state}`, reason: `it is ${state}` }
  return {
    sentence: `The repository is ${state}. Try again in a moment.`,
    reason: `it is ${state}, try again in a moment`,
  }
}
