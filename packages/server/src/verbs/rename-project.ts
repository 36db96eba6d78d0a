import type { Control } from '../control/open.ts'
import type { Caller } from '../model/caller.ts'
import type { Project } from '../model/project.ts'
import { requireOperator } from './require-operator.ts'

/** `project` is an id or a unique name. */
export function renameProject(control: Control) {
  return async (caller: Caller, input: { project: string; name: string }): Promise<Project> => {
    requireOperator(caller)
    const { id } = await control.projects.find(input.project)
    return control.projects.rename(id, input.name, { by: caller.kind, nowMs: Date.now() })
  }
}
