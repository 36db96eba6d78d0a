import type { VerdictWindow } from '@tidemark/wire/deploys/verdict'
import { withCommas } from '@tidemark/wire/text/counted'
import type { ReactNode } from 'react'
import { formatElapsed } from '../../time/elapsed.ts'
import { classNames } from '../../ui/class-names.ts'
import { Part } from './part.tsx'
import { errorShareWords, shareChange, shorterWords } from './windows.ts'

const HEAD = ['Within', 'Records', 'Errors', 'Share of errors', 'Change']

type WindowsProps = {
  windows: readonly VerdictWindow[]
  environment: string
  answeredMs: number
  /** The deploy runs and its verdict is still to come. */
  isAwaited: boolean
}

/** The numbers behind the verdict. Absent where nothing is known of the records: the reasons say why. */
export function BeforeAndAfter({ windows, environment, ...told }: WindowsProps) {
  if (windows.length === 0) return null
  return (
    <Part title="Before and after" aside={`all records of ${environment}`}>
      <table className="w-full rounded-control border border-border bg-surface text-left max-sm:block sm:border-separate sm:border-spacing-0">
        <thead className="max-sm:sr-only">
          <tr>
            {HEAD.map((text) => (
              <th key={text} scope="col" className="h-8 px-3 text-small font-medium whitespace-nowrap text-muted">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block max-sm:divide-y max-sm:divide-border">
          {windows.map((window) => (
            <WindowRow key={window.minutes} window={window} {...told} />
          ))}
        </tbody>
      </table>
    </Part>
  )
}

type RowProps = { window: VerdictWindow } & Pick<WindowsProps, 'answeredMs' | 'isAwaited'>

/** On a phone the length and the change stand above the three numbers, each of them under its name. */
function WindowRow({ window, ...told }: RowProps) {
  const { minutes, before, after } = window
  const shorter = shorterWords(window, told)
  const { words, isRise } = shareChange(window)
  const number = (count: number) => withCommas(count)
  return (
    <tr className="max-sm:grid max-sm:grid-cols-3 max-sm:gap-x-3 max-sm:gap-y-1.5 max-sm:px-3 max-sm:py-2">
      <Figure className="max-sm:order-first">
        <span className="font-medium whitespace-nowrap">{formatElapsed(minutes * 60)}</span>
        {shorter !== null && <span className="block text-small whitespace-nowrap text-muted">after it {shorter}</span>}
      </Figure>
      <Figure name="Records">
        <Pair before={number(before.records)} after={number(after.records)} />
      </Figure>
      <Figure name="Errors">
        <Pair before={number(before.errors)} after={number(after.errors)} isLoud={isRise} />
      </Figure>
      <Figure name="Share of errors">
        <Pair before={errorShareWords(before)} after={errorShareWords(after)} isLoud={isRise} />
      </Figure>
      <Figure className={classNames('max-sm:-order-1 max-sm:col-span-2 max-sm:text-right', !isRise && 'text-muted')}>
        {words}
      </Figure>
    </tr>
  )
}

function Figure({ name, className, children }: { name?: string; className?: string; children: ReactNode }) {
  return (
    <td className={classNames('align-baseline sm:border-t sm:border-border sm:px-3 sm:py-2', className)}>
      {name !== undefined && (
        <span className="block text-small text-muted sm:hidden" aria-hidden="true">
          {name}
        </span>
      )}
      {children}
    </td>
  )
}

function Pair({ before, after, isLoud = false }: { before: string; after: string; isLoud?: boolean }) {
  return (
    <span className="tabular-nums sm:whitespace-nowrap">
      <span className="text-muted">{before}</span>
      <span className="mx-1.5 text-faint" aria-hidden="true">
        →
      </span>
      <span className="sr-only"> before, after it </span>
      <span className={isLoud ? 'font-medium' : undefined}>{after}</span>
    </span>
  )
}
