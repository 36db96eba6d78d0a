import type { DeployRow } from '@tidemark/wire/reading/row'
import { Flag } from 'lucide-react'
import { memo } from 'react'
import { introducedWords } from '../../marks/introduced-words.ts'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatFull } from '../../time/format-time.ts'
import { classNames } from '../../ui/class-names.ts'
import { type LineProps, lineTime, timeColumn } from './line-view.tsx'

type DeployLineProps = LineProps<DeployRow> & { introduced: number }

/** A full-width violet row between the records, at the time of the deploy. */
export const DeployLine = memo(function DeployLine(props: DeployLineProps) {
  const { row, index, view, isCurrent, onOpen } = props
  const Words = view.isNarrow ? NarrowWords : WideWords
  return (
    <button
      type="button"
      data-deploy-row={row.id}
      onClick={() => onOpen(index)}
      title={formatFull(row.timestamp, view.zone)}
      className={classNames(
        'flex h-full w-full border-l-[3px] border-transparent bg-deploy-surface pr-3 text-left text-small text-deploy hover:brightness-[0.97]',
        view.isNarrow ? 'min-h-11 gap-2 border-b border-b-border' : 'min-h-6 items-center gap-3',
        isCurrent && '!border-l-accent',
      )}
    >
      <span className="ml-1 w-[3px] shrink-0 self-stretch bg-deploy" aria-hidden="true" />
      <Words {...props} />
    </button>
  )
})

function WideWords({ row, view, introduced }: DeployLineProps) {
  const brought = introducedWords(introduced)
  return (
    <>
      <span className={timeColumn(view.hasDates)}>{lineTime(row.timestamp, { view })}</span>
      <Flag size={13} className="-mx-px shrink-0" aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">
        <What row={row} />
        {detailsOf(row).map((detail) => ` · ${detail}`)}
      </span>
      {brought !== null && <span className="shrink-0 font-semibold">{brought}</span>}
    </>
  )
}

/** What it brought stands where its second line begins: at the end nobody would see it. */
function NarrowWords({ row, view, day, introduced }: DeployLineProps) {
  const brought = introducedWords(introduced)
  const details = detailsOf(row).join(' · ')
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="flex h-[22px] items-center gap-2">
        <span className={timeColumn(false)}>{lineTime(row.timestamp, { view, day })}</span>
        <Flag size={13} className="-mx-px shrink-0" aria-hidden="true" />
        <span className="min-w-0 truncate">
          <What row={row} />
        </span>
      </span>
      <span className="flex flex-1 items-center">
        <span className="min-w-0 truncate">
          {brought !== null && <span className="font-semibold">{brought}</span>}
          {brought !== null && details !== '' && ' · '}
          {details}
        </span>
      </span>
    </span>
  )
}

function What({ row: { sha, environment } }: { row: DeployRow }) {
  return (
    <>
      <span className="font-mono font-semibold">{shortSha(sha)}</span> deployed to {plainLine(environment)}
    </>
  )
}

function detailsOf({ ref, author, message }: DeployRow): string[] {
  return [
    ref === null ? '' : plainLine(ref),
    author === null ? '' : `by ${plainLine(author)}`,
    message === null ? '' : plainLine(message.split('\n')[0] ?? ''),
  ].filter((words) => words !== '')
}
