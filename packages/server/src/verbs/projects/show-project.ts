import type { ProjectSettingsAnswer } from '@tidemark/wire/project'
import type { Control } from '../../control/open.ts'
import { monthOf } from '../../control/projects/usage.ts'
import { redactionOf } from '../../redaction/project-rules.ts'
import type { PersonCaller } from '../require-person.ts'

/** The settings of the caller's project and how much of its quota is used. */
export async function showProject(
  control: Pick<Control, 'usage'>,
  { project, role }: PersonCaller,
  nowMs: number,
): Promise<ProjectSettingsAnswer> {
  const month = monthOf(nowMs)
  const { disabled, fields, rules } = redactionOf(project.redaction)
  return {
    id: project.id,
    name: project.name,
    createdAt: project.createdAt,
    role,
    defaultEnvironment: project.defaultEnvironment,
    retentionDays: project.retentionDays,
    monthlyQuotaRecords: project.monthlyQuotaRecords,
    maxBytesPerSecond: project.maxBytesPerSecond,
    maxRequestsPerSecond: project.maxRequestsPerSecond,
    redaction: { disabled: [...disabled], fields: [...fields], rules: rules.map((rule) => ({ ...rule })) },
    usage: { month, ...(await control.usage.get(project.id, month)) },
  }
}
