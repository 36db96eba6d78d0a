/** The correlated deploy in a sentence, in the words that the page, the command line, agents and summaries share. */

/** What its time is counted to: an episode that is not the first was begun by another error than the first. */
export function anchorWords<Time>({ firstSeen, anchor }: { firstSeen: Time; anchor: Time }): string {
  return anchor === firstSeen ? 'the first error' : 'the error that brought it back'
}

/** What is inferred from git is never called a deploy. */
export function changeWord(source: 'recorded' | 'inferred' | null): string {
  return source === 'inferred' ? 'commit' : 'deploy'
}

/** Said instead of whether an error existed before, where no record was there to show it. */
export const NOTHING_TO_COMPARE = 'Nothing was logged before, so there is nothing to compare with.'
