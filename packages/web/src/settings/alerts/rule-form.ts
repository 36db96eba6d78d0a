/** What is typed about a rule, as the service takes it. */
import type { AlertRuleView, NewAlertRuleInput } from '@tidemark/wire/alerts/alert'
import type { AlertReason } from '@tidemark/wire/alerts/alert-kinds'

export type RuleForm = {
  name: string
  about: 'events' | 'query'
  reasons: readonly string[]
  environment: string
  service: string
  query: string
  threshold: string
  windowMinutes: string
  channelIds: readonly string[]
}

const USUAL: readonly AlertReason[] = ['new_analysis', 'regressed_analysis', 'spiking_analysis', 'bad_deploy']

/** Of a rule that is there, or of a new one. A single channel is the one that is meant. */
export function ruleForm(rule: AlertRuleView | undefined, channelIds: readonly string[]): RuleForm {
  const isQuery = rule?.query !== undefined && rule.query !== null
  return {
    name: rule?.name ?? '',
    about: isQuery ? 'query' : 'events',
    reasons: rule === undefined || isQuery ? USUAL : rule.reasons,
    environment: rule?.environment ?? '',
    service: rule?.service ?? '',
    query: rule?.query ?? '',
    threshold: String(rule?.threshold ?? 10),
    windowMinutes: String(rule?.windowMinutes ?? 5),
    channelIds: rule?.channelIds ?? (channelIds.length === 1 ? channelIds : []),
  }
}

export function ruleInput(form: RuleForm): NewAlertRuleInput {
  const isQuery = form.about === 'query'
  return {
    name: form.name.trim(),
    reasons: isQuery ? ['query'] : (form.reasons as AlertReason[]),
    environment: form.environment || null,
    service: form.service || null,
    query: isQuery ? form.query.trim() : null,
    threshold: isQuery ? Number(form.threshold) : null,
    windowMinutes: isQuery ? Number(form.windowMinutes) : null,
    channelIds: [...form.channelIds],
  }
}

export type RuleLacks = { name?: string; query?: string; reasons?: string; channelIds?: string }

/** What has to be given first, each beside its field. */
export function lacksOfRule({ about, reasons, query, name, channelIds }: RuleForm): RuleLacks {
  return {
    ...(name.trim() === '' && { name: 'Give the rule a name.' }),
    ...(about === 'query' && query.trim() === '' && { query: 'Write what to look for.' }),
    ...(about === 'events' && reasons.length === 0 && { reasons: 'Choose at least one.' }),
    ...(channelIds.length === 0 && { channelIds: 'Choose at least one channel.' }),
  }
}
