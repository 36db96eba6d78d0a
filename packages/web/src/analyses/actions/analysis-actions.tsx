import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { ProjectRole } from '@tidemark/wire/people/role'
import { Ellipsis, EyeOff, Merge, Split } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Awaited } from '../../ui/skeleton.tsx'
import { StateButtons } from './state-buttons.tsx'
import { useChangeAnalysis } from './use-change-analysis.ts'

const MergeDialog = lazy(() => import('./merge-dialog.tsx').then((module) => ({ default: module.MergeDialog })))
const IgnoreLikeDialog = lazy(() =>
  import('./ignore-like-dialog.tsx').then((module) => ({ default: module.IgnoreLikeDialog })),
)
const SplitDialog = lazy(() => import('./split-dialog.tsx').then((module) => ({ default: module.SplitDialog })))

type ActionsProps = { projectId: string; analysis: AnalysisDetail; role: ProjectRole }

/** Members and owners settle an analysis; rules change what everybody sees, so they are for owners. */
export function AnalysisActions({ projectId, analysis, role }: ActionsProps) {
  const { id, state } = analysis
  const change = useChangeAnalysis(projectId, id, state)
  const [dialog, setDialog] = useState<'merge' | 'split' | 'ignore'>()
  const close = () => setDialog(undefined)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <StateButtons states={[state]} isBusy={change.isPending} onAct={change.mutate} hasPrimary />
      {role === 'owner' && (
        <Menu
          align="end"
          trigger={
            <IconButton label="Merge, split or ignore">
              <Ellipsis size={16} aria-hidden="true" />
            </IconButton>
          }
        >
          <MenuItem icon={<Merge size={14} aria-hidden="true" />} onSelect={() => setDialog('merge')}>
            Merge into another analysis
          </MenuItem>
          <MenuItem icon={<Split size={14} aria-hidden="true" />} onSelect={() => setDialog('split')}>
            Split into several
          </MenuItem>
          <MenuItem icon={<EyeOff size={14} aria-hidden="true" />} onSelect={() => setDialog('ignore')}>
            Ignore all like this
          </MenuItem>
        </Menu>
      )}
      {change.error && (
        <div className="basis-full">
          <Problem error={change.error} />
        </div>
      )}
      <Suspense fallback={<Awaited />}>
        {dialog === 'merge' && <MergeDialog projectId={projectId} analysis={analysis} onClose={close} />}
        {dialog === 'ignore' && <IgnoreLikeDialog projectId={projectId} likened={[analysis]} onClose={close} />}
        {dialog === 'split' && <SplitDialog projectId={projectId} analysis={analysis} onClose={close} />}
      </Suspense>
    </div>
  )
}
