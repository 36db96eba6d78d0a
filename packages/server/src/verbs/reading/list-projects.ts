import type { Control } from '../../control/open.ts'
import type { Caller, ProjectWithSettings } from '../../model/caller.ts'
import { requireOperator } from '../require-operator.ts'

/** Newest first. */
export function listProjects(control: Control) {
  return async (caller: Caller): Promise<ProjectWithSettings[]> => {
    requireOperator(caller)
    return control.projects.list()
  }
}
