/** Why a repository says nothing right now: as a sentence, and as the end of another. */
export const BEING_COPIED = {
  sentence: 'The repository is being copied: try again in a moment.',
  reason: 'it is being copied, try again in a moment',
}
export const NOT_READ = {
  sentence: 'The copy of the repository could not be read: try again in a moment.',
  reason: 'its copy could not be read, try again in a moment',
}
