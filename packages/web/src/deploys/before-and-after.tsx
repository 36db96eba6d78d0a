import { formatElapsed } from '@tidemark/wire/time/elapsed'
import type { VerdictWindow } from '@tidemark/wire/verdict'
import { classNames } from '../ui/class-names.ts'
import { Cell, Row, Table } from '../ui/table.tsx'
import { Part } from './part.tsx'
import { changeOf, shareWords, shorterWords } from './windows.ts'

const HEAD = ['Before and after', 'Records', 'Errors', 'Share of errors', 'Change']

type WindowsProps = { windows: readonly VerdictWindow[]; environment: string; answeredMs: number }

/** The numbers behind the verdict. Absent where nothing is known of the records: the reasons say why. */
export function BeforeAndAfter({ windows, environment, answeredMs }: WindowsProps) {
  if (windows.length === 0) return null
  return (
    <Part title="Before and after" aside={`all records of ${environment}`}>
      <Table label="Records and errors before and after" head={HEAD}>
        {windows.map((window) => (
          <WindowRow key={window.minutes} window={window} answeredMs={answeredMs} />
        ))}
      </Table>
    </Part>
  )
}

function WindowRow({ window, answeredMs }: { window: VerdictWindow; answeredMs: number }) {
  const { minutes, before, after } = window
  const shorter = shorterWords(window, answeredMs)
  const change = changeOf(window)
  const number = (count: number) => count.toLocaleString('en-US')
  return (
    <Row>
      <Cell>
        <span className="font-medium whitespace-nowrap">{formatElapsed(minutes * 60)}</span>
        {shorter !== null && <span className="ml-2 text-small text-muted">after it only {shorter}</span>}
      </Cell>
      <Cell>
        <Pair before={number(before.records)} after={number(after.records)} />
      </Cell>
      <Cell>
        <Pair before={number(before.errors)} after={number(after.errors)} isLoud={change.isRise} />
      </Cell>
      <Cell>
        <Pair before={shareWords(before)} after={shareWords(after)} isLoud={change.isRise} />
      </Cell>
      <Cell className={classNames(!change.isRise && 'text-muted')}>{change.words}</Cell>
    </Row>
  )
}

function Pair({ before, after, isLoud = false }: { before: string; after: string; isLoud?: boolean }) {
  return (
    <span className="tabular-nums whitespace-nowrap">
      <span className="text-muted">{before}</span>
      <span className="mx-1.5 text-faint" aria-hidden="true">
        →
      </span>
      <span className="sr-only"> before, after it </span>
      <span className={isLoud ? 'font-medium' : undefined}>{after}</span>
    </span>
  )
}
