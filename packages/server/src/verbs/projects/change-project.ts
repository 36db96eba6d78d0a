import type { Control } from '../../control/open.ts'
import type { ProjectChanges } from '../../control/projects/project-settings.ts'
import type { Caller, ProjectWithSettings } from '../../model/caller.ts'
import { checkedRedaction } from '../../redaction/project-rules.ts'
import { changeBy, requireManager } from '../require-manager.ts'

type Input = { project: string; changes: Omit<ProjectChanges, 'redaction'> & { redaction?: unknown } }

/** `project` is an id or a unique name. What is left out keeps its value; records that are stored already do not change. */
export function changeProject(control: Control) {
  return async (caller: Caller, { project, changes }: Input): Promise<ProjectWithSettings> => {
    const { id } = await requireManager(control, caller, { project, least: 'owner' })
    const { redaction, ...rest } = changes
    const settings = redaction === undefined ? rest : { ...rest, redaction: { ...checkedRedaction(redaction) } }
    return control.projects.changeSettings(id, settings, changeBy(caller))
  }
}
