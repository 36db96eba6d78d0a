import { Link } from '@tanstack/react-router'
import { ANALYSIS_STATES, type AnalysisState, OPEN_STATES } from '@tidemark/wire/analyses/analysis-state'
import { withCommas } from '@tidemark/wire/text/counted'
import { STATE_LOOK } from '../../marks/analysis-state.tsx'
import { TabRow, tabClass } from '../../ui/tab-row.tsx'

type StateTabsProps = {
  chosen: AnalysisState | undefined
  counts: Record<string, number> | undefined
  /** What a deploy brought is of interest whether or not it is settled. */
  isOfOneDeploy: boolean
}

/** Links rather than tabs: each state has its own address. */
export function StateTabs({ chosen, counts, isOfOneDeploy }: StateTabsProps) {
  const count = (state: AnalysisState) => counts?.[state] ?? 0
  const first = (isOfOneDeploy ? ANALYSIS_STATES : OPEN_STATES).reduce((sum, state) => sum + count(state), 0)
  const isKnown = counts !== undefined
  return (
    <TabRow
      label="States"
      current={chosen ?? ''}
      className="border-b border-border max-sm:pr-8 max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-40px),transparent)]"
    >
      <StateTab
        state={undefined}
        label={isOfOneDeploy ? 'All' : 'All open'}
        count={isKnown ? first : undefined}
        isChosen={chosen === undefined}
      />
      {ANALYSIS_STATES.map((state) => (
        <StateTab
          key={state}
          state={state}
          label={STATE_LOOK[state].word}
          count={isKnown ? count(state) : undefined}
          isChosen={chosen === state}
        />
      ))}
    </TabRow>
  )
}

type StateTabProps = { state: AnalysisState | undefined; label: string; count: number | undefined; isChosen: boolean }

function StateTab({ state, label, count, isChosen }: StateTabProps) {
  return (
    <Link
      to="."
      search={(before) => ({ ...before, state })}
      aria-current={isChosen ? 'page' : undefined}
      className={tabClass(isChosen)}
    >
      {label}
      <span className="min-w-[1ch] text-tiny font-normal text-faint tabular-nums">
        {count === undefined ? '' : withCommas(count)}
      </span>
    </Link>
  )
}
