/**
 * What really happened in each incident. The shop's secret: the demo writes it into a file beside the data and never sends
 * it to the service, so that the service's findings can be compared with it.
 */
export const INCIDENT_KINDS = [
  'bad-deploy',
  'slow-burn',
  'third-party',
  'configuration',
  'regression',
  'staging-only',
  'increase',
  'rolled-back',
  'failed-deploy',
  'wording',
  'flood',
  'data',
  'live',
] as const
export type IncidentKind = (typeof INCIDENT_KINDS)[number]

export type DeployName = { sha: string; environment: string; deployedAt: string; status: string }

export type Answer = {
  incident: string
  kind: IncidentKind
  title: string
  environment: string
  service: string
  /** Of the episode that the incident is about. */
  firstErrorAt: string
  /** Null while it is going on. */
  lastErrorAt: string | null
  error: { type: string; message: string }
  /** What the correlation rule names; not always to blame. */
  correlatedDeploy: DeployName | null
  /** To blame, or null when no deploy is. */
  cause: {
    deploy: DeployName | null
    commit: string | null
    file: string | null
    line: number | null
    because: string
  }
}
