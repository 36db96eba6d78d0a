/** What causes and confidence are called, on the page, in alerts and wherever else people read them. Without schemas. */
import type { CauseKind, LikelyCause } from './cause.ts'

/** The titles of an unknown cause. They are ours, and where the cause is told they stand alone. */
export const NOTHING_CHANGED = 'Nothing is known to have changed before it'
export const NOTHING_EXPLAINS = 'Nothing that changed explains it'

export const CAUSE_WORDS = {
  deploy: 'Deploy',
  commit: 'Commit',
  configuration: 'Configuration',
  dependency: 'Dependency',
  environment: 'Environment',
  data: 'Data',
  load: 'Load',
  unknown: NOTHING_EXPLAINS,
} as const satisfies Record<CauseKind, string>

export const CONFIDENCE_WORDS = {
  high: 'High confidence',
  medium: 'Medium confidence',
  low: 'Low confidence',
} as const satisfies Record<LikelyCause['confidence'], string>

/** `Likely caused by`, before what caused it. With little confidence nobody would call it likely. */
export function causedWords(confidence: LikelyCause['confidence'] | undefined): string {
  return `${confidence === 'low' ? 'Perhaps' : 'Likely'} caused by`
}

/** Before the cause itself, where it has a heading or a line of its own. */
export function causeLead({ kind, confidence }: Pick<LikelyCause, 'kind' | 'confidence'>): string {
  if (kind === 'unknown') return 'No likely cause'
  return confidence === 'low' ? 'Possible cause' : 'Likely cause'
}

/** `Likely cause: Deploy of 4f2a9c1 to production (deploy, high confidence)`, `No likely cause: nothing that changed explains it` */
export function causeLine(cause: Pick<LikelyCause, 'kind' | 'confidence'>, title: string): string {
  return `${causeLead(cause)}: ${cause.kind === 'unknown' ? unknownWords(title) : causeHeadline(cause, title)}`
}

/** Within a sentence. */
export function unknownWords(title: string): string {
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}`
}

/** `deploy, high confidence`, beside the title. Of an unknown cause there is nothing to tell but its title. */
export function certaintyWords({ kind, confidence }: Pick<LikelyCause, 'kind' | 'confidence'>): string {
  return kind === 'unknown' ? '' : `${kind}, ${confidence} confidence`
}

/** `Deploy of 4f2a9c1 to production (deploy, high confidence)`. The title is a stranger's: it is given as it may be shown. */
export function causeHeadline(cause: Pick<LikelyCause, 'kind' | 'confidence'>, title: string): string {
  const certainty = certaintyWords(cause)
  return certainty === '' ? title : `${title} (${certainty})`
}
