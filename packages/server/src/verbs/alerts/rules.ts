/** What a project is told about. Members see the rules, owners change them. */
import type { AlertRuleView, ChangeAlertRuleInput, NewAlertRuleInput } from '@tidemark/wire/alerts/alert'
import { AppError } from '../../errors.ts'
import type { AlertRule } from '../../model/alert.ts'
import type { Caller } from '../../model/caller.ts'
import { changeBy, requireManager } from '../access.ts'
import { logFilter } from '../reading/log-filter.ts'
import { type AlertParts, CHANGES_ALERTS, wrongField } from './alert-parts.ts'

type Asked = Omit<AlertRule, 'id' | 'projectId' | 'createdAt' | 'createdBy'>

export async function addAlertRule(
  parts: AlertParts,
  caller: Caller,
  { project, ...input }: NewAlertRuleInput & { project: string },
): Promise<AlertRuleView> {
  const { id } = await requireManager(parts, caller, { project, least: CHANGES_ALERTS })
  const added = await parts.control.alertRules.add(id, checkedRule(input), changeBy(parts, caller))
  return ruleView(parts, added)
}

export async function changeAlertRule(
  parts: AlertParts,
  caller: Caller,
  { project, id, ...input }: ChangeAlertRuleInput & { project: string; id: string },
): Promise<AlertRuleView> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: CHANGES_ALERTS })
  const before = await parts.control.alertRules.get(projectId, id)
  if (!before) throw unknownRule()
  const rule = checkedRule({ ...before, ...given(input) })
  const changed = await parts.control.alertRules.change(projectId, id, rule, changeBy(parts, caller))
  if (!changed) throw unknownRule()
  return ruleView(parts, changed)
}

export async function removeAlertRule(
  parts: AlertParts,
  caller: Caller,
  { project, id }: { project: string; id: string },
): Promise<void> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: CHANGES_ALERTS })
  if (await parts.control.alertRules.remove(projectId, id, changeBy(parts, caller))) return
  throw unknownRule()
}

export async function ruleView({ control }: AlertParts, rule: AlertRule): Promise<AlertRuleView> {
  const names = await control.accounts.names([rule.createdBy])
  const { projectId: _, createdBy, ...view } = rule
  return { ...view, createdBy: names.get(createdBy) ?? createdBy }
}

function checkedRule(input: NewAlertRuleInput): Asked {
  const { name, reasons, channelIds, environment = null, service = null, isOn = true } = input
  const question = {
    query: input.query ?? null,
    threshold: input.threshold ?? null,
    windowMinutes: input.windowMinutes ?? null,
  }
  const isQuery = reasons.includes('query')
  if (isQuery && reasons.length > 1)
    throw wrongField('reasons', 'has query and others: a rule with a query has no other reason')
  for (const [path, value] of Object.entries(question)) {
    if (isQuery && value === null) throw wrongField(path, 'is needed for a rule with a query')
    if (!isQuery && value !== null) throw wrongField(path, 'is for rules with the reason query only')
  }
  if (question.query !== null) {
    if (question.query.trim() === '') throw wrongField('query', 'must not be empty: say which records count')
    logFilter({ query: question.query, environment: environment ?? undefined, service: service ?? undefined })
  }
  return { name, reasons, channelIds, environment, service, isOn, ...question }
}

function given<Input extends object>(input: Input): { [Name in keyof Input]?: Exclude<Input[Name], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Input
}

function unknownRule(): AppError {
  return new AppError('not_found', 'No alert rule of this project has that id. List the alerts to find one.')
}
