import type { Change } from '../../control/audit.ts'
import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import type { Project } from '../../model/project.ts'
import { changeBy } from '../require-manager.ts'
import { requireOperator } from '../require-operator.ts'

export type CreatedProject = { project: Project; ingestKey: string; readKey: string }
export type NewProjectDefaults = { retentionDays: number }

/** For the operator. People make projects of their own: see `createMyProject`. */
export function createProject(control: Control, defaults: NewProjectDefaults) {
  return async (caller: Caller, { name }: { name: string }): Promise<CreatedProject> => {
    requireOperator(caller)
    return makeProject(control, defaults, name, changeBy(caller))
  }
}

/** A project with its first two keys. This is the only time their secrets are known. */
export async function makeProject(
  control: Control,
  { retentionDays }: NewProjectDefaults,
  name: string,
  change: Change,
): Promise<CreatedProject> {
  const project = await control.projects.create({ name, retentionDays }, change)
  const make = async (kind: 'ingest' | 'read') =>
    (await control.keys.create({ projectId: project.id, kind, name: 'first', expiresAtMs: null }, change)).secret
  return { project, ingestKey: await make('ingest'), readKey: await make('read') }
}
