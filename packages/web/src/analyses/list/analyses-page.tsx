/** What is broken, most urgent first, each with what changed before it. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { analysesQuery } from '../../api/analyses.ts'
import { useRole } from '../../api/roles.ts'
import { plainSentence } from '../../text/plain-text.ts'
import { isTrendUnfinished } from '../../time/unfinished.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { Awaited } from '../../ui/skeleton.tsx'
import { useAnalysesAddress } from './analyses-address.ts'
import { AnalysesFrame, BoxPlace } from './analyses-frame.tsx'
import { AnalysesPlaceholder } from './analyses-placeholder.tsx'
import { AnalysesToolbar } from './analyses-toolbar.tsx'
import { AnalysisRow } from './analysis-row.tsx'
import { NoAnalyses } from './no-analyses.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { StateTabs } from './state-tabs.tsx'
import { useSelection } from './use-selection.ts'

const IgnoreLikeDialog = lazy(() =>
  import('../actions/ignore-like-dialog.tsx').then((module) => ({ default: module.IgnoreLikeDialog })),
)

export function AnalysesPage() {
  const address = useAnalysesAddress()
  const { projectId, filter, state } = address
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(-1)
  const found = useInfiniteQuery(analysesQuery(projectId, filter))
  const first = found.data?.pages[0]
  const rows = useMemo(() => found.data?.pages.flatMap((page) => page.analyses) ?? [], [found.data])
  const isAwaited = found.isPending || (found.isPlaceholderData && rows.length === 0)
  const role = useRole(projectId)
  const selection = useSelection({ projectId, filter, first, rows })
  const { chosen: taken, chosenIds, isAllShown, choose } = selection
  const [isIgnoring, setIgnoring] = useState(false)
  const onChoose = role === 'viewer' ? undefined : choose
  // Of what is chosen on later pages, the words are not known here.
  const likened = rows.filter(({ id }) => chosenIds.has(id))
  const canIgnoreLike = role === 'owner' && likened.length > 0 && likened.length === taken.length

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another first row
  useEffect(() => setCurrent(-1), [filter])
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const move = (step: number) => setCurrent(Math.min(Math.max(current + step, 0), rows.length - 1))
  const chosen = rows[current]
  useShortcuts({
    '/': () => input.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    arrowdown: () => move(1),
    arrowup: () => move(-1),
    ...(chosen && onChoose ? { x: ({ shiftKey }) => onChoose(chosen.id, shiftKey) } : {}),
    ...(onChoose && rows.length > 0 ? { s: selection.next } : {}),
    ...(chosen && !isControlFocused()
      ? {
          enter: () =>
            navigate({
              to: '/projects/$projectId/analyses/$analysisId',
              params: { projectId, analysisId: chosen.id },
            }),
        }
      : {}),
  })

  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="flex max-w-[1400px] flex-col gap-3 px-4 py-5 2xl:px-6">
        <h1 className="text-title font-semibold">Analyses</h1>
        <StateTabs chosen={state} counts={first?.states} isOfOneDeploy={filter.introducedBy !== undefined} />
        <AnalysesToolbar address={address} input={input} isBusy={found.isFetching} onRefresh={() => found.refetch()} />
        {isAwaited && <AnalysesPlaceholder isChoosable={onChoose !== undefined} />}
        {found.error && <Problem error={found.error} onRetry={found.refetch} />}
        {first?.warnings.map(({ message }) => (
          <p key={message} className="text-small text-warn">
            {plainSentence(message)}
          </p>
        ))}
        {found.isSuccess && !isAwaited && rows.length === 0 && (
          <NoAnalyses address={address} why={first?.empty ?? null} />
        )}
        {rows.length > 0 && (
          <AnalysesFrame
            isFaded={found.isPlaceholderData}
            box={
              onChoose && (
                <label className="flex cursor-pointer items-center hover:bg-hover max-lg:pr-3">
                  <BoxPlace>
                    <input
                      type="checkbox"
                      // Only a script can say that some are chosen, but not all.
                      ref={(box) => {
                        if (box) box.indeterminate = taken.length > 0 && !isAllShown
                      }}
                      title="Select all (s)"
                      checked={isAllShown}
                      onChange={selection.toggleShown}
                    />
                  </BoxPlace>
                  <span className="text-small text-muted lg:sr-only">Select all</span>
                </label>
              )
            }
          >
            <ul ref={list} aria-label="Analyses">
              {rows.map((analysis, index) => (
                <AnalysisRow
                  key={analysis.id}
                  projectId={projectId}
                  analysis={analysis}
                  isCurrent={index === current}
                  isChosen={chosenIds.has(analysis.id)}
                  isTrendUnfinished={first !== undefined && isTrendUnfinished(first.window)}
                  onChoose={onChoose}
                />
              ))}
            </ul>
          </AnalysesFrame>
        )}
        {found.hasNextPage && (
          <Button onClick={() => found.fetchNextPage()} isBusy={found.isFetchingNextPage} className="self-start">
            Show more
          </Button>
        )}
        {taken.length > 0 && (
          <SelectionBar
            projectId={projectId}
            selection={selection}
            shown={rows.length}
            onIgnoreLike={canIgnoreLike ? () => setIgnoring(true) : undefined}
          />
        )}
      </div>
      <Suspense fallback={<Awaited />}>
        {isIgnoring && likened.length > 0 && (
          <IgnoreLikeDialog
            projectId={projectId}
            likened={likened}
            onClose={() => setIgnoring(false)}
            onDone={selection.clear}
          />
        )}
      </Suspense>
    </main>
  )
}

/** A focused link or button takes Enter for itself. */
function isControlFocused(): boolean {
  return document.activeElement instanceof HTMLButtonElement || document.activeElement instanceof HTMLAnchorElement
}
