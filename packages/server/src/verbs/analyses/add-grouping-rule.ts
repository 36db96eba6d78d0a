import type { GroupingRuleInput, GroupingRuleView } from '@tidemark/wire/analysis'
import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import { changeBy, requireManager } from '../require-manager.ts'
import { ruleViews } from './list-grouping-rules.ts'

type Rules = Pick<Control, 'projects' | 'groupingRules' | 'accounts'>

/** For owners: it changes what everybody in the project sees. */
export function addGroupingRule(control: Rules, now: () => number = Date.now) {
  return async (
    caller: Caller,
    { project, rule }: { project: string; rule: GroupingRuleInput },
  ): Promise<GroupingRuleView> => {
    const { id } = await requireManager(control, caller, { project, least: 'owner' })
    const added = await control.groupingRules.add(id, rule, changeBy(caller, now()))
    const [view] = await ruleViews(control, [added])
    return view!
  }
}
