import type { Control } from '../control/open.ts'
import type { Caller } from '../model/caller.ts'
import type { Project } from '../model/project.ts'
import { requireOperator } from './require-operator.ts'

export type CreatedProject = { project: Project; ingestKey: string; readKey: string }

/** A project with its first two keys. This is the only time their secrets are known. */
export function createProject(control: Control, { retentionDays }: { retentionDays: number }) {
  return async (caller: Caller, { name }: { name: string }): Promise<CreatedProject> => {
    requireOperator(caller)
    const change = { by: caller.kind, nowMs: Date.now() }
    const project = await control.projects.create({ name, retentionDays }, change)
    const make = async (kind: 'ingest' | 'read') =>
      (await control.keys.create({ projectId: project.id, kind, name: 'first', expiresAtMs: null }, change)).secret
    return { project, ingestKey: await make('ingest'), readKey: await make('read') }
  }
}
