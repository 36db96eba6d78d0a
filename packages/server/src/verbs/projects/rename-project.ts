import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import type { Project } from '../../model/project.ts'
import { changeBy, requireManager } from '../require-manager.ts'

/** `project` is an id or a unique name. */
export function renameProject(control: Control) {
  return async (caller: Caller, input: { project: string; name: string }): Promise<Project> => {
    const { id } = await requireManager(control, caller, { project: input.project, least: 'owner' })
    return control.projects.rename(id, input.name, changeBy(caller))
  }
}
