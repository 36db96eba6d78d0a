/** What can be done to the chosen rows. It floats below them, so that no row moves when the first is chosen. Each batch of them is changed as a whole or not at all. */

import { MAX_CHANGED_AT_ONCE, MAX_CHOSEN } from '@tidemark/wire/limits'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { UserRound } from 'lucide-react'
import { plainLine } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { StateButtons } from '../actions/state-buttons.tsx'
import { AssigneeMenu } from '../people/assignee-menu.tsx'
import { useChangeAnalyses } from './use-change-analyses.ts'
import type { AnalysesSelection } from './use-selection.ts'

type BarProps = {
  projectId: string
  selection: AnalysesSelection
  /** How many rows are shown. */
  shown: number
  /** Only for owners, and only where all that is chosen is shown: a rule is about what they have in common. */
  onIgnoreLike: (() => void) | undefined
}

const ASSIGN_ID = 'assign-chosen'

export function SelectionBar({ projectId, selection, shown, onIgnoreLike }: BarProps) {
  const { chosen, clear, leave } = selection
  const { change, assign, progress } = useChangeAnalyses(projectId, chosen, leave)
  const isBusy = change.isPending || assign.isPending
  useShortcuts({
    a: () => document.getElementById(ASSIGN_ID)?.click(),
    escape: clear,
  })
  const error = change.error ?? assign.error
  return (
    <div
      role="toolbar"
      aria-label="Selected analyses"
      className="float sticky bottom-4 z-10 flex max-w-full flex-col gap-1.5 self-center !border-accent px-3 py-1.5"
    >
      <Extent selection={selection} shown={shown} />
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="mr-2 font-medium tabular-nums">
          {isBusy && chosen.length > MAX_CHANGED_AT_ONCE
            ? `${withCommas(progress)} of ${withCommas(chosen.length)} done`
            : `${counted(chosen.length, 'analysis', 'analyses')} selected`}
        </span>
        <StateButtons
          states={chosen.map(({ state }) => state)}
          isBusy={isBusy}
          onAct={(action) => isBusy || change.mutate(action)}
        />
        <AssigneeMenu
          projectId={projectId}
          onAssign={(personId, name) => assign.mutate({ personId, name: plainLine(name) })}
          trigger={
            <Button id={ASSIGN_ID} title="Assign (a)" icon={<UserRound size={14} aria-hidden="true" />} isBusy={isBusy}>
              Assign
            </Button>
          }
        />
        {onIgnoreLike && (
          <Button onClick={onIgnoreLike}>Ignore all like {chosen.length === 1 ? 'this' : 'these'}</Button>
        )}
        <Button look="quiet" className="ml-2 max-sm:ml-auto" title="Clear the selection (Esc)" onClick={clear}>
          Clear
        </Button>
      </div>
      {error && <Problem error={error} />}
    </div>
  )
}

/** As in mail: what is shown is not all there is. */
function Extent({ selection, shown }: Pick<BarProps, 'selection' | 'shown'>) {
  const { everything, isEverything, chosen, total } = selection
  const { isOffered, isPending, error, choose } = everything
  if (error) {
    return <Problem error={error} onRetry={choose} />
  }
  if (isEverything && total > chosen.length) {
    return (
      <p className="text-muted">
        {`Of ${withCommas(total)} that match, the ${withCommas(chosen.length)} that were seen last are selected.`}
      </p>
    )
  }
  if (!isOffered) return null
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-muted">
      {`All ${withCommas(shown)} shown are selected.`}
      <button
        type="button"
        disabled={isPending}
        title="Select all that match (s)"
        onClick={choose}
        className="min-h-6 pointer-coarse:min-h-control font-medium text-accent hover:underline disabled:opacity-60"
      >
        {`Select ${total > MAX_CHOSEN ? `${withCommas(MAX_CHOSEN)} of the` : 'all'} ${withCommas(total)} that match`}
      </button>
    </p>
  )
}
