/** What can be done to the chosen rows. It floats below them, so that no row moves when the first is chosen. Each is done to all or to none. */
import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { counted } from '@tidemark/wire/text/counted'
import { UserRound } from 'lucide-react'
import { plainLine } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { StateButtons } from '../actions/state-buttons.tsx'
import { AssigneeMenu } from '../people/assignee-menu.tsx'
import { useChangeAnalyses } from './use-change-analyses.ts'

type BarProps = {
  projectId: string
  chosen: readonly AnalysisItem[]
  onDone: () => void
  /** Only for owners, and only where one row is chosen: a rule is about what one has. */
  onIgnoreLike: (() => void) | undefined
}

const ASSIGN_ID = 'assign-chosen'

export function SelectionBar({ projectId, chosen, onDone, onIgnoreLike }: BarProps) {
  const { change, assign } = useChangeAnalyses(projectId, chosen, onDone)
  const isBusy = change.isPending || assign.isPending
  useShortcuts({
    a: () => document.getElementById(ASSIGN_ID)?.click(),
    escape: onDone,
  })
  const error = change.error ?? assign.error
  return (
    <div
      role="toolbar"
      aria-label="Selected analyses"
      className="float sticky bottom-4 z-10 flex max-w-full flex-wrap items-center gap-2 self-center !border-accent px-3 py-1.5"
    >
      <span className="mr-2 font-medium tabular-nums">{counted(chosen.length, 'analysis', 'analyses')} selected</span>
      <StateButtons states={chosen.map(({ state }) => state)} isBusy={isBusy} onAct={change.mutate} />
      <AssigneeMenu
        projectId={projectId}
        onAssign={(personId, name) => assign.mutate({ personId, name: plainLine(name) })}
        trigger={
          <Button id={ASSIGN_ID} title="Assign (a)" icon={<UserRound size={14} aria-hidden="true" />} isBusy={isBusy}>
            Assign
          </Button>
        }
      />
      {onIgnoreLike && <Button onClick={onIgnoreLike}>Ignore all like this</Button>}
      <Button look="quiet" className="ml-2 max-sm:ml-auto" title="Clear the selection (Esc)" onClick={onDone}>
        Clear
      </Button>
      {error && (
        <div className="basis-full">
          <Problem error={error} />
        </div>
      )}
    </div>
  )
}
