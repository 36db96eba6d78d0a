/** How a deploy ended. No schema library, so that the browser may load it. */
export const DEPLOY_STATUSES = ['succeeded', 'failed', 'cancelled'] as const
export type DeployStatus = (typeof DEPLOY_STATUSES)[number]

/** What it did, as the verb of a sentence. */
export const OUTCOME_WORDS: Record<DeployStatus, string> = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'was cancelled',
}
