import type { Control } from '../control/open.ts'
import type { Caller } from '../model/caller.ts'
import type { Project } from '../model/project.ts'
import { requireOperator } from './require-operator.ts'

/** `project` is an id or a unique name. Its keys die in the same transaction. */
export function deleteProject(control: Control) {
  return async (caller: Caller, input: { project: string }): Promise<Project> => {
    requireOperator(caller)
    const project = await control.projects.find(input.project)
    await control.projects.delete(project.id, { by: caller.kind, nowMs: Date.now() })
    return project
  }
}
