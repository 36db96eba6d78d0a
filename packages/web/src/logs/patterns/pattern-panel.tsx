/** One pattern in full: what it says, where it comes from, what became of it, and the way to its records. */

import type { LogPattern, PatternsAnswer } from '@tidemark/wire/reading/patterns'
import type { LogRow } from '@tidemark/wire/reading/row'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import { FilterX, Logs } from 'lucide-react'
import type { ReactNode } from 'react'
import { ExactTime } from '../../marks/exact-time.tsx'
import { levelLook } from '../../marks/level-look.ts'
import { RecordAnalysis } from '../../record/record-analysis.tsx'
import { SidePanel } from '../../record/side-panel.tsx'
import { useValueMenu } from '../../record/value-menu.tsx'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { formatShort } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyBlock, CopyIcon } from '../../ui/copy.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { useWidth } from '../../ui/use-width.ts'
import type { LogsAddress } from '../logs-address.ts'
import { inView } from '../view-bar.tsx'
import { quietestLook } from './pattern-row.tsx'
import { PatternStateMark } from './pattern-state.tsx'
import { PatternText } from './pattern-text.tsx'
import { stateWords } from './state-words.ts'
import { withoutPattern } from './without-pattern.ts'

type PanelProps = {
  address: LogsAddress
  answer: PatternsAnswer
  row: LogPattern
  /** Its newest record, where it is one of errors. */
  errorSample: LogRow | undefined
  /** Where deploys were in the window, from 0 to 1. */
  deploys: readonly number[]
  onClose: () => void
}

export function PatternPanel({ address, answer, row, errorSample, deploys, onClose }: PanelProps) {
  const { sample, sampleId, levels, services } = row
  const why = stateWords(row, answer.baseRecords ?? 0)
  const openMenu = useValueMenu()
  const value = (field: string, text: string, className = '') => (
    <button
      key={text}
      type="button"
      onClick={(event) => openMenu(event.currentTarget, { field, value: text })}
      className={classNames('text-left font-mono text-small [overflow-wrap:anywhere] hover:underline', className)}
    >
      {plainLine(text)}
    </button>
  )
  const named = services.filter((name) => name !== '')
  return (
    <SidePanel
      label="Pattern"
      title={
        <>
          <PatternStateMark state={row.state} />
          <span className="text-small text-muted tabular-nums">
            {row.count > 0 ? counted(row.count, 'record') : `${counted(row.baseCount ?? 0, 'record')} before`}
          </span>
        </>
      }
      actions={null}
      closeLabel="Close the pattern (Esc)"
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <section aria-label="Pattern" className="relative">
          <pre className="rounded-control border border-border bg-background p-2.5 pr-8 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
            <PatternText pattern={row.pattern} />
          </pre>
          <CopyIcon text={row.pattern} label="Copy the pattern" className="absolute top-2 right-2" />
        </section>
        {errorSample && errorSample.analysisId !== null && (
          <RecordAnalysis projectId={address.projectId} analysisId={errorSample.analysisId} />
        )}
        <Actions address={address} answer={answer} row={row} />
        {why !== null && <p className="text-small text-muted tabular-nums">{why}</p>}
        <Course row={row} answer={answer} deploys={deploys} />
        <dl className="grid grid-cols-[104px_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1">
          <Item name="Records">
            <Part count={row.count} of={answer.records} />
          </Item>
          {row.baseCount !== null && (
            <Item name="Before">
              <Part count={row.baseCount} of={answer.baseRecords ?? 0} />
            </Item>
          )}
          <Item name="First seen">
            <ExactTime at={row.firstSeen} />{' '}
            <span className="text-small text-faint">{row.count > 0 ? 'within this window' : 'in the time before'}</span>
          </Item>
          <Item name="Last seen">
            <ExactTime at={row.lastSeen} />
          </Item>
          <Item name={levels.length === 1 ? 'Level' : 'Levels'}>
            <span className="flex flex-wrap gap-x-3">
              {levels.map((level) => value('level', level, levelLook(level).text))}
            </span>
          </Item>
          {errorSample?.error && errorSample.error.type !== '' && (
            <Item name="Error type">{value('error.type', errorSample.error.type, 'text-error')}</Item>
          )}
          {named.length > 0 && (
            <Item name={named.length === 1 ? 'Service' : 'Services'}>
              <span className="flex flex-wrap gap-x-3">{named.map((name) => value('service', name))}</span>
            </Item>
          )}
        </dl>
        {sample !== null && (
          <section aria-label="Newest record">
            <div className="mb-1 flex items-center justify-between">
              <h3 className="text-small font-medium text-muted">Newest record</h3>
              {sampleId !== null && (
                <Button look="quiet" onClick={() => address.change({ record: sampleId })}>
                  Open the record
                </Button>
              )}
            </div>
            <pre className="rounded-control border border-border bg-background p-2.5 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
              {plainText(sample)}
            </pre>
          </section>
        )}
        {row.query !== null && (
          <section aria-label="Query">
            <h3 className="mb-1 text-small font-medium text-muted">Query that finds its records</h3>
            <CopyBlock text={row.query} label="query" />
          </section>
        )}
      </div>
    </SidePanel>
  )
}

/** To its records, as the service says they are found: in the window, or for one that is gone, in the base. */
function Actions({ address, answer, row }: Pick<PanelProps, 'address' | 'answer' | 'row'>) {
  const { query, queryCount, count, baseCount, state } = row
  const isGone = state === 'gone'
  const all = isGone ? (baseCount ?? 0) : count
  const rest = withoutPattern(address.filter.query ?? '', query)
  const view = () => {
    const window = (isGone ? answer.baseWindow : null) ?? answer.window
    address.change({
      ...inView(undefined),
      query: query ?? undefined,
      environment: answer.environment ?? undefined,
      from: window.from,
      to: window.to,
    })
  }
  return (
    <section aria-label="Actions" className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" disabled={query === null} onClick={view} icon={<Logs size={14} aria-hidden="true" />}>
          View {counted(queryCount, 'record')}
        </Button>
        <Button
          disabled={rest === undefined}
          onClick={() => address.change({ query: rest, pattern: undefined })}
          icon={<FilterX size={14} aria-hidden="true" />}
        >
          Exclude
        </Button>
      </div>
      {(query === null || rest === undefined || queryCount < all) && (
        <p className="text-small text-muted">
          {query === null || rest === undefined
            ? 'The query is too long for another term: shorten it to narrow it by this pattern.'
            : `The pattern is made of more kinds of message than a query can hold, so it finds ${counted(queryCount, 'record')} of ${withCommas(all)}: the most frequent kinds.`}
        </p>
      )}
    </section>
  )
}

function Course({ row, answer: { window }, deploys }: Pick<PanelProps, 'row' | 'answer' | 'deploys'>) {
  const { zone } = usePreferences()
  const [box, width] = useWidth<HTMLDivElement>()
  if (row.count === 0) return null
  return (
    <div ref={box} className="min-h-14">
      <Sparkline
        counts={row.trend}
        label={`Trend of ${counted(row.count, 'record')}`}
        width={width}
        height={40}
        fill={quietestLook(row).fill}
        deploys={deploys}
      />
      <p className="flex justify-between text-tiny text-faint tabular-nums">
        <time dateTime={window.from}>{formatShort(window.from, zone)}</time>
        <time dateTime={window.to}>{formatShort(window.to, zone)}</time>
      </p>
    </div>
  )
}

function Part({ count, of }: { count: number; of: number }) {
  if (count === 0) return <>None of {withCommas(of)}</>
  return (
    <>
      {withCommas(count)} of {withCommas(of)}, {shareWords(count / of)}
    </>
  )
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-small text-muted">{name}</dt>
      <dd className="min-w-0 tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}
