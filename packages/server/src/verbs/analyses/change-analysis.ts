import type { ChangeAnalysisInput } from '@tidemark/wire/analyses/analysis'
import { unknownAnalysis } from '../../control/analyses/unknown-analysis.ts'
import type { AnalysisStatus } from '../../model/analysis.ts'
import type { Caller } from '../../model/caller.ts'
import { type ControlParts, changeBy, requireManager } from '../access.ts'

const STATUS: Record<ChangeAnalysisInput['action'], AnalysisStatus> = {
  resolve: 'resolved',
  ignore: 'ignored',
  reopen: 'open',
}

/** For members and owners of the project; never for a key. An error after a resolve brings it back as a regression. */
export async function changeAnalysis(
  parts: ControlParts,
  caller: Caller,
  { project, id, action }: ChangeAnalysisInput & { project: string; id: string },
): Promise<void> {
  await changeAnalyses(parts, caller, { project, ids: [id], action })
}

/** All or none: what one person sees done is done. */
export async function changeAnalyses(
  parts: ControlParts,
  caller: Caller,
  { project, ids, action }: ChangeAnalysisInput & { project: string; ids: readonly string[] },
): Promise<void> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: 'member' })
  const changed = await parts.control.analyses.setStatuses(projectId, ids, STATUS[action], changeBy(parts, caller))
  if (changed === null) throw unknownAnalysis()
}
