import { createHash } from 'node:crypto'
import type { Group } from '../../model/grouping-rule.ts'
import type { ProjectId } from '../../model/project.ts'

/** The same group has the same id on every node and after every restart. An array's JSON has one form only. */
export function analysisId(projectId: ProjectId, environment: string, { fingerprint, splitValue }: Group): string {
  const content = JSON.stringify([projectId, environment, fingerprint, splitValue])
  return `ana_${createHash('sha256').update(content).digest('hex').slice(0, 32)}`
}
