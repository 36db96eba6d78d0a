/** Which names and settings a project may have. */

import type { RetentionRuleInput } from '@tidemark/wire/retention'
import { withCommas } from '@tidemark/wire/text/counted'
import { type FieldError, invalidFields } from '../../errors.ts'
import type { ProjectSettings } from '../../model/project.ts'
import type { ControlSchema } from '../database/schema.ts'
import { checkedGivenName, nameKey } from '../given-name.ts'
import { checkedRules, daysProblem, rulesText } from './retention-rules.ts'
import { writtenNameProblem } from './written-name.ts'

type ProjectInput = Omit<ProjectSettings, 'retentionRules'> & { retentionRules: readonly RetentionRuleInput[] }
export type ProjectChanges = { [Name in keyof ProjectInput]?: ProjectInput[Name] | undefined }

const MAX_REDACTION_CHARACTERS = 65_536

export function checkedProjectName(input: string): string {
  return checkedGivenName(input, "The project's name", {
    ownProblem: (name) =>
      nameKey(name).startsWith('prj_') ? 'must not begin with "prj_", as project ids do' : undefined,
  })
}

/** The columns to write, or every bad field at once. */
export function checkedSettings(changes: ProjectChanges): Partial<ControlSchema['projects']> {
  const fields: FieldError[] = []
  const check = (path: keyof ProjectSettings, isGood: boolean, message: string) => {
    if (!isGood) fields.push({ path, message })
  }
  const columns: Partial<ControlSchema['projects']> = {}
  const { defaultEnvironment, retentionDays, retentionRules, redaction } = changes
  if (defaultEnvironment !== undefined) {
    const problem = writtenNameProblem(defaultEnvironment)
    if (problem !== undefined) fields.push({ path: 'defaultEnvironment', message: problem })
    columns.default_environment = defaultEnvironment
  }
  if (retentionDays !== undefined) {
    const problem = daysProblem(retentionDays)
    if (problem !== undefined) fields.push({ path: 'retentionDays', message: problem })
    columns.retention_days = retentionDays
  }
  if (retentionRules !== undefined) {
    const { rules, problems } = checkedRules(retentionRules)
    fields.push(...problems)
    columns.retention_rules = rulesText(rules)
  }
  for (const [path, column] of LIMIT_COLUMNS) {
    const value = changes[path]
    if (value === undefined) continue
    check(
      path,
      value === null || (Number.isSafeInteger(value) && value >= 1),
      'must be a whole number above 0, or null',
    )
    columns[column] = value
  }
  if (redaction !== undefined) {
    const text = JSON.stringify(redaction)
    check(
      'redaction',
      text.length <= MAX_REDACTION_CHARACTERS,
      `must be at most ${withCommas(MAX_REDACTION_CHARACTERS)} characters`,
    )
    columns.redaction = text
  }
  if (fields.length > 0) throw invalidFields("The project's settings were not changed:", fields)
  return columns
}

const LIMIT_COLUMNS = [
  ['monthlyQuotaRecords', 'monthly_quota_records'],
  ['maxBytesPerSecond', 'max_bytes_per_second'],
  ['maxRequestsPerSecond', 'max_requests_per_second'],
] as const
