/** What causes and confidence are called, on the page, in alerts and wherever else people read them. Without schemas. */
import type { CauseKind, LikelyCause } from './cause.ts'

export const CAUSE_WORDS = {
  deploy: 'Deploy',
  commit: 'Commit',
  configuration: 'Configuration',
  dependency: 'Dependency',
  environment: 'Environment',
  data: 'Data',
  load: 'Load',
  unknown: 'Nothing that changed explains it',
} as const satisfies Record<CauseKind, string>

export const CONFIDENCE_WORDS = {
  high: 'High confidence',
  medium: 'Medium confidence',
  low: 'Low confidence',
} as const satisfies Record<LikelyCause['confidence'], string>
