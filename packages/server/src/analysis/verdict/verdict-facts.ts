/** Everything that is weighed when a deploy is judged. Times in microseconds. */
import type { LikelyCause } from '@tidemark/wire/analyses/cause'
import type { DeployAnalysis } from '@tidemark/wire/deploys/verdict'
import type { Volume } from '../silence/sudden-silence.ts'

type Span = { fromUs: number; toUs: number }
export type Counts = { records: number; errors: number }

/** An analysis whose likely cause is the deploy. */
export type AgainstFacts = Pick<DeployAnalysis, 'title' | 'service' | 'began' | 'count'> &
  Pick<LikelyCause, 'confidence'> & {
    onsetUs: number
    /** What speaks most for the deploy as the cause. */
    evidence: string | null
    /** One of its commits touches a line of the stack. */
    isAtLine: boolean
  }

export type RecordFacts = {
  /** The widest last. */
  windows: readonly { minutes: number; before: Span & Counts; after: Span & Counts }[]
  /** The hour that began a day before the deploy. */
  dayBefore: Counts
  /** Errors in that window of analyses that have another cause. */
  explained: number
  /** Records while it ran, in the first day. */
  since: number
  /**
   * Of the environment, and of each service in it. Errors before the deploy do not count: that they stop is no harm. `after`
   * is the widest window, with the errors.
   */
  all: Volume
  services: readonly (Volume & { service: string })[]
}

export type VerdictFacts = {
  environment: string
  deployedAtUs: number
  nowUs: number
  /** The deploy that replaced it, if one did. */
  replacedBy: { sha: string; atUs: number; isRollback: boolean } | null
  against: readonly AgainstFacts[]
  /** Analyses that began while it ran and do not count against it; and those that ended with it. */
  others: number
  gone: number
  /** No record was ever seen in its environment; `nearest` is one that has some and a name like it. */
  unknownEnvironment: { nearest: string | null } | null
  /** `away`: the log store did not answer. `expired`: retention has passed over that time. */
  records: RecordFacts | 'away' | 'expired'
}

/** While it ran, as far as that is over. */
export function ranUs({ deployedAtUs, nowUs, replacedBy }: VerdictFacts): number {
  return Math.min(nowUs, replacedBy?.atUs ?? nowUs) - deployedAtUs
}
