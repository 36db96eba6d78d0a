import type { ChangeAnalysisInput } from '@tidemark/wire/analysis'
import type { Control } from '../../control/open.ts'
import type { AnalysisStatus } from '../../model/analysis.ts'
import type { Caller } from '../../model/caller.ts'
import { unknownAnalysis } from '../reading/search-logs-analysis.ts'
import { changeBy, requireManager } from '../require-manager.ts'

const STATUS: Record<ChangeAnalysisInput['action'], AnalysisStatus> = {
  resolve: 'resolved',
  ignore: 'ignored',
  reopen: 'open',
}

type Input = ChangeAnalysisInput & { project: string; id: string }

/** For members and owners of the project; never for a key. An error after a resolve brings it back as a regression. */
export function changeAnalysis(control: Pick<Control, 'projects' | 'analyses'>, now: () => number = Date.now) {
  return async (caller: Caller, { project, id, action }: Input): Promise<void> => {
    const { id: projectId } = await requireManager(control, caller, { project, least: 'member' })
    const changed = await control.analyses.setStatus(projectId, id, STATUS[action], changeBy(caller, now()))
    if (changed === null) throw unknownAnalysis()
  }
}
