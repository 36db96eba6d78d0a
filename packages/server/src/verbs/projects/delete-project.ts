import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import type { Project } from '../../model/project.ts'
import { changeBy, requireManager } from '../require-manager.ts'

/** `project` is an id or a unique name. Its keys die in the same transaction. */
export function deleteProject(control: Control) {
  return async (caller: Caller, input: { project: string }): Promise<Project> => {
    const project = await requireManager(control, caller, { project: input.project, least: 'owner' })
    await control.projects.delete(project.id, changeBy(caller))
    return project
  }
}
