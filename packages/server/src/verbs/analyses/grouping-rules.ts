/** The grouping rules of a project, for its owners: they change what everybody in it sees. */
import type {
  GroupingRuleInput,
  GroupingRulesAnswer,
  GroupingRuleView,
  IgnorePreview,
  RemovedGroupingRule,
} from '@tidemark/wire/analyses/analysis'
import type { IgnoringRule } from '../../control/analyses/decide-rule.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { GroupingRule } from '../../model/grouping-rule.ts'
import type { ProjectId } from '../../model/project.ts'
import { type ControlParts, changeBy, requireManager } from '../access.ts'

/** Named in a preview; the rest is counted. */
const PREVIEWED_EXAMPLES = 5

/** Oldest first. */
export async function listGroupingRules(
  parts: ControlParts,
  caller: Caller,
  { project }: { project: string },
): Promise<GroupingRulesAnswer> {
  const { id } = await requireManager(parts, caller, { project, least: 'owner' })
  return { rules: await ruleViews(parts, id, await parts.control.groupingRules.list(id)) }
}

export async function addGroupingRule(
  parts: ControlParts,
  caller: Caller,
  { project, rule }: { project: string; rule: GroupingRuleInput },
): Promise<GroupingRuleView> {
  const { id } = await requireManager(parts, caller, { project, least: 'owner' })
  const added = await parts.control.groupingRules.add(id, rule, changeBy(parts, caller))
  const [view] = await ruleViews(parts, id, [added])
  return view!
}

/** What a rule that ignores would catch, before anybody makes it. */
export async function previewIgnoring(
  parts: ControlParts,
  caller: Caller,
  { project, rule }: { project: string; rule: IgnoringRule },
): Promise<IgnorePreview> {
  const { id } = await requireManager(parts, caller, { project, least: 'owner' })
  return parts.control.groupingRules.wouldIgnore(id, rule, PREVIEWED_EXAMPLES)
}

/** The rule's effect on earlier errors stays; with `restore`, what it ignored has the state again that it had before. */
export async function removeGroupingRule(
  parts: ControlParts,
  caller: Caller,
  { project, id, restore }: { project: string; id: string; restore: boolean },
): Promise<RemovedGroupingRule> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: 'owner' })
  const removed = await parts.control.groupingRules.remove(projectId, id, changeBy(parts, caller), { restore })
  if (removed !== null) return removed
  throw new AppError('not_found', 'No grouping rule of this project has that id. List the rules to find one.')
}

/** With the names of the people who made them, and what they keep ignored. */
async function ruleViews(
  { control }: ControlParts,
  projectId: ProjectId,
  rules: readonly GroupingRule[],
): Promise<GroupingRuleView[]> {
  const [names, ignored] = await Promise.all([
    control.accounts.names([...new Set(rules.map(({ createdBy }) => createdBy))]),
    control.groupingRules.countIgnored(projectId),
  ])
  return rules.map(({ id, kind, description, createdAt, createdBy }) => ({
    id,
    kind,
    description,
    createdAt,
    createdBy: names.get(createdBy) ?? createdBy,
    ...(kind === 'ignore' && { ignored: ignored.get(id) ?? 0 }),
  }))
}
