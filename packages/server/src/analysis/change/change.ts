/** One thing that changed, before it is ranked. */
import type { ChangeView } from '@tidemark/wire/reading/changes'

type Told = Omit<ChangeView, 'timestamp' | 'elapsedSeconds' | 'score' | 'role' | 'kind' | 'title' | 'reason'>

export type Change = Told &
  Pick<ChangeView, 'kind' | 'title' | 'reason'> & {
    atUs: number
    /** How much of a change it is, 0 to 1, whatever its kind and its time. */
    strength: number
    /** It is known to have had effect at the moment, so that the time in between says nothing. */
    isTimely: boolean
  }

type Given = Pick<Change, 'kind' | 'title' | 'reason' | 'atUs' | 'strength'> & Partial<Change>

/** What is not given is not known. */
export function changeOf(given: Given): Change {
  return {
    isTimely: false,
    environment: null,
    service: null,
    deployId: null,
    sha: null,
    status: null,
    verdict: null,
    analysisId: null,
    name: null,
    from: null,
    to: null,
    query: null,
    ...given,
  }
}
