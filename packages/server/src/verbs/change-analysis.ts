import type { ChangeAnalysisInput } from '@tidemark/wire/analysis'
import type { Control } from '../control/open.ts'
import { AppError } from '../errors.ts'
import type { AnalysisStatus } from '../model/analysis.ts'
import type { Caller } from '../model/caller.ts'
import { changeBy, requireManager } from './require-manager.ts'

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

/** The same words for an id that never was and for another project's. */
export function unknownAnalysis(path = 'id'): AppError {
  const message = 'No analysis of this project has that id. List the analyses to find one.'
  return new AppError('not_found', message, { fields: [{ path, message }] })
}
