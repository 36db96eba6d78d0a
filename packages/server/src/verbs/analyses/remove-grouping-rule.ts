import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { changeBy, requireManager } from '../require-manager.ts'

type Rules = Pick<Control, 'projects' | 'groupingRules'>

/** For owners. What the rule did to errors that came in before stays as it is. */
export function removeGroupingRule(control: Rules, now: () => number = Date.now) {
  return async (caller: Caller, { project, id }: { project: string; id: string }): Promise<void> => {
    const { id: projectId } = await requireManager(control, caller, { project, least: 'owner' })
    if (await control.groupingRules.remove(projectId, id, changeBy(caller, now()))) return
    throw new AppError('not_found', 'No grouping rule of this project has that id. List the rules to find one.')
  }
}
