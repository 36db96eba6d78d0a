/** How a deploy ended, and what became of it. No schema library, so that the browser may load it. */
export const DEPLOY_STATUSES = ['succeeded', 'failed', 'cancelled'] as const
export type DeployStatus = (typeof DEPLOY_STATUSES)[number]

/** What it did, as the verb of a sentence. */
export const OUTCOME_WORDS: Record<DeployStatus, string> = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'was cancelled',
}

/** Whether it did harm. */
export const VERDICTS = ['good', 'suspect', 'bad', 'too_early'] as const
export type Verdict = (typeof VERDICTS)[number]
