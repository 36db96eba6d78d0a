import type { AnalysisItem } from './analysis.ts'

/** Whether the correlated deploy, or the commit that stands in for it, is the answer to why. */
export function isCorrelatedCause({
  likelyCause,
  correlatedDeploy,
}: Pick<AnalysisItem, 'likelyCause' | 'correlatedDeploy'>): boolean {
  if (correlatedDeploy === null) return false
  const { deployId, sha } = correlatedDeploy
  return deployId === null
    ? likelyCause.kind === 'commit' && likelyCause.sha === sha
    : likelyCause.deployId === deployId
}
