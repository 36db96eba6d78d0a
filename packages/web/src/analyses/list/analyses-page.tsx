/** What is broken, most urgent first, each with what changed before it. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { analysesQuery } from '../../api/analyses.ts'
import { useRole } from '../../api/roles.ts'
import { plainSentence } from '../../text/plain-text.ts'
import { isTrendUnfinished } from '../../time/unfinished.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { Awaited } from '../../ui/skeleton.tsx'
import { useAnalysesAddress } from './analyses-address.ts'
import { AnalysesFrame } from './analyses-frame.tsx'
import { AnalysesPlaceholder } from './analyses-placeholder.tsx'
import { AnalysesToolbar } from './analyses-toolbar.tsx'
import { AnalysisRow } from './analysis-row.tsx'
import { NoAnalyses } from './no-analyses.tsx'
import { allToggled, NOTHING, onlyOf, toggled } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { StateTabs } from './state-tabs.tsx'

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
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const role = useRole(projectId)
  const [asked, setSelection] = useState(NOTHING)
  const selection = onlyOf(asked, ids)
  const [isIgnoring, setIgnoring] = useState(false)
  const clear = useCallback(() => setSelection(NOTHING), [])
  const choose = useCallback(
    (id: string, isRange: boolean) => setSelection((before) => toggled(before, ids, { id, isRange })),
    [ids],
  )
  const onChoose = role === 'viewer' ? undefined : choose
  const taken = rows.filter(({ id }) => selection.ids.has(id))

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another first row
  useEffect(() => {
    setCurrent(-1)
    clear()
  }, [filter])
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
        {found.isPending && <AnalysesPlaceholder />}
        {found.error && <Problem error={found.error} onRetry={found.refetch} />}
        {first?.warnings.map(({ message }) => (
          <p key={message} className="text-small text-warn">
            {plainSentence(message)}
          </p>
        ))}
        {found.isSuccess && rows.length === 0 && <NoAnalyses address={address} why={first?.empty ?? null} />}
        {rows.length > 0 && (
          <AnalysesFrame
            isFaded={found.isPlaceholderData}
            box={
              onChoose && (
                <input
                  type="checkbox"
                  // Only a script can say that some are chosen, but not all.
                  ref={(box) => {
                    if (box) box.indeterminate = taken.length > 0 && taken.length < rows.length
                  }}
                  aria-label="Select all"
                  checked={taken.length === rows.length}
                  onChange={() => setSelection((before) => allToggled(onlyOf(before, ids), ids))}
                />
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
                  isChosen={selection.ids.has(analysis.id)}
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
            chosen={taken}
            onDone={clear}
            onIgnoreLike={role === 'owner' && taken.length === 1 ? () => setIgnoring(true) : undefined}
          />
        )}
      </div>
      <Suspense fallback={<Awaited />}>
        {isIgnoring && taken[0] && (
          <IgnoreLikeDialog projectId={projectId} analysis={taken[0]} onClose={() => setIgnoring(false)} />
        )}
      </Suspense>
    </main>
  )
}

/** A focused link or button takes Enter for itself. */
function isControlFocused(): boolean {
  return document.activeElement instanceof HTMLButtonElement || document.activeElement instanceof HTMLAnchorElement
}
