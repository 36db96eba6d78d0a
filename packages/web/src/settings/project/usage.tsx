import type { ProjectSettingsAnswer } from '@tidemark/wire/project'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import type { ReactNode } from 'react'
import { formatBytes } from '../../text/format-bytes.ts'
import { SectionHeading } from '../section-heading.tsx'
import { formatMonth } from './format-month.ts'
import { dayWords, usageFacts } from './usage-facts.ts'

type UsageProps = { usage: ProjectSettingsAnswer['usage']; quota: number | null }

/** What was received this month, beside the quota, and in each of the last days. */
export function Usage({ usage: { month, records, bytes, days }, quota }: UsageProps) {
  const { today, perDay, busiest } = usageFacts(days)
  return (
    <section aria-labelledby="usage">
      <SectionHeading title="Usage" id="usage" about={`${formatMonth(month)}, in UTC as the quota is counted.`} />
      <div className="rounded-control border border-border bg-surface">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 p-4 tabular-nums sm:grid-cols-[repeat(auto-fit,minmax(112px,1fr))]">
          <Figure name="This month" note="records">
            {withCommas(records)}
          </Figure>
          <Figure
            name={quota === null ? 'Quota' : 'Of the quota'}
            note={quota === null ? undefined : `of ${counted(quota, 'record')}`}
          >
            {quota === null ? 'None' : shareWords(Math.min(1, records / quota))}
          </Figure>
          <Figure name="Size" note="uncompressed">
            <span title={`${withCommas(bytes)} bytes`}>{formatBytes(bytes)}</span>
          </Figure>
          {today && (
            <Figure name="Today" note="records so far">
              {withCommas(today.records)}
            </Figure>
          )}
          {perDay !== null && (
            <Figure name="Per day" note={`on average of ${counted(days.length - 1, 'day')}`}>
              {withCommas(perDay)}
            </Figure>
          )}
        </dl>
        {busiest && <Days days={days} busiest={busiest} />}
      </div>
    </section>
  )
}

function Figure({ name, note, children }: { name: string; note?: string | undefined; children: ReactNode }) {
  return (
    <div>
      <dt className="text-small text-muted">{name}</dt>
      <dd>
        <span className="block text-title font-semibold whitespace-nowrap">{children}</span>
        {note && <span className="block text-small text-faint">{note}</span>}
      </dd>
    </div>
  )
}

type Day = UsageProps['usage']['days'][number]

/** One bar for each day; today, which is not over, is paler. */
function Days({ days, busiest }: { days: readonly Day[]; busiest: Day }) {
  const most = `at most ${withCommas(busiest.records)}, on ${dayWords(busiest.day)}`
  const words = `Records per day since ${dayWords(days[0]?.day ?? '')}, ${most}`
  return (
    <div className="border-t border-border px-4 pt-3 pb-2">
      <p className="mb-2 text-small text-muted">{words}</p>
      <div role="img" aria-label={words} className="flex h-16 items-end gap-px border-b border-border">
        {days.map(({ day, records, bytes }, index) => (
          <span
            key={day}
            title={`${dayWords(day)}: ${counted(records, 'record')}, ${formatBytes(bytes)}`}
            className="flex h-full max-w-8 flex-1 items-end hover:bg-hover"
          >
            <span
              className="w-full rounded-t-[1px] bg-muted"
              style={{
                height: `${(records / busiest.records) * 100}%`,
                minHeight: records > 0 ? 2 : 0,
                opacity: index === days.length - 1 ? 0.6 : 1,
              }}
            />
          </span>
        ))}
      </div>
      <div className="mt-1 flex justify-between text-tiny text-faint" style={{ maxWidth: days.length * 33 }}>
        {days.length > 1 && <span>{dayWords(days[0]?.day ?? '')}</span>}
        <span>Today</span>
      </div>
    </div>
  )
}
