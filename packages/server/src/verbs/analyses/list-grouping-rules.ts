import type { GroupingRulesAnswer, GroupingRuleView } from '@tidemark/wire/analysis'
import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import type { GroupingRule } from '../../model/grouping-rule.ts'
import { requireManager } from '../require-manager.ts'

type Rules = Pick<Control, 'projects' | 'groupingRules' | 'accounts'>

/** Oldest first, for owners. */
export function listGroupingRules(control: Rules) {
  return async (caller: Caller, { project }: { project: string }): Promise<GroupingRulesAnswer> => {
    const { id } = await requireManager(control, caller, { project, least: 'owner' })
    return { rules: await ruleViews(control, await control.groupingRules.list(id)) }
  }
}

/** With the names of who made them. */
export async function ruleViews(
  { accounts }: Pick<Control, 'accounts'>,
  rules: readonly GroupingRule[],
): Promise<GroupingRuleView[]> {
  const names = await accounts.names([...new Set(rules.map(({ createdBy }) => createdBy))])
  return rules.map(({ id, kind, description, createdAt, createdBy }) => ({
    id,
    kind,
    description,
    createdAt,
    createdBy: names.get(createdBy) ?? createdBy,
  }))
}
