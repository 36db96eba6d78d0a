/** Rows of the timeline as lines of a terminal. Every text in them is a stranger's and passes through `terminalText`. */

import { shortRevision } from '@tidemark/wire/deploys/revision'
import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import { cutWithEllipsis } from '@tidemark/wire/text/cut-text'
import { errorHeadline } from '@tidemark/wire/text/error-headline'
import type { Colors } from '../client/colors.ts'
import { oneLine, terminalText } from '../client/terminal-text.ts'

export type Row = LogRow | DeployRow

const WIDEST_NAME = 24
const LONGEST_ATTRIBUTE = 200
const INDENT = '    '

/** Columns only grow, so that earlier rows stay aligned with most of what follows. */
export class RowFormat {
  readonly #colors: Colors
  #environmentWidth = 0
  #serviceWidth = 0

  constructor(colors: Colors) {
    this.#colors = colors
  }

  lines(rows: readonly Row[]): string[] {
    for (const row of rows) this.#widen(row)
    return rows.flatMap((row) => (row.kind === 'log' ? this.#logLines(row) : [this.#deployLine(row)]))
  }

  #widen(row: Row): void {
    this.#environmentWidth = wider(this.#environmentWidth, row.environment)
    if (row.kind === 'log') this.#serviceWidth = wider(this.#serviceWidth, row.service)
  }

  #logLines(row: LogRow): string[] {
    const { dim, cyan } = this.#colors
    const [first = '', ...rest] = terminalText(row.message).split('\n')
    const attributes = attributeText(row.attributes)
    const cells = [
      dim(shownTime(row.timestamp)),
      this.#level(row.level),
      column(row.environment, this.#environmentWidth),
      cyan(column(row.service, this.#serviceWidth)),
      first,
      ...(attributes === '' ? [] : [dim(attributes)]),
    ]
    const more = [...rest.map((line) => INDENT + line), ...this.#errorLines(row)]
    return [cells.filter((cell) => cell !== '').join('  '), ...more]
  }

  /** The stack, and what the error says if neither message nor stack already says it. */
  #errorLines({ error, message }: LogRow): string[] {
    if (!error) return []
    const stack = error.stack.trimEnd()
    // A stack inside the message has been printed with it.
    const isTold = stack !== '' && message.includes(stack)
    const headline = errorHeadline(error.type, error.message)
    const said = stack !== '' ? stack : message.includes(error.message) && error.message !== '' ? '' : headline
    if (isTold || said === '') return []
    return terminalText(said)
      .split('\n')
      .map((line) => this.#colors.dim(INDENT + line))
  }

  #deployLine({ timestamp, environment, sha, ref, status, author, message }: DeployRow): string {
    const { bold, magenta, dim } = this.#colors
    const words = [
      `deploy ${oneLine(shortRevision(sha))}`,
      ref ? `(${oneLine(ref)})` : '',
      status === 'succeeded' ? '' : status,
      author ? `by ${oneLine(author)}` : '',
    ].filter(Boolean)
    const subject = oneLine(message?.split('\n')[0] ?? '')
    const name = column(environment, this.#environmentWidth)
    return `${dim(shownTime(timestamp))}  ${bold(magenta(`===== ${name}  ${words.join(' ')}`))}${subject ? `  ${subject}` : ''} ${bold(magenta('====='))}`
  }

  #level(level: string): string {
    const { red, yellow, green, dim, bold } = this.#colors
    const text = level.toUpperCase().padEnd(5)
    const paint: Record<string, (text: string) => string> = {
      fatal: (shown) => bold(red(shown)),
      error: red,
      warn: yellow,
      info: green,
    }
    return (paint[level] ?? dim)(text)
  }
}

/** Milliseconds are enough to read, and make every time equally long. */
function shownTime(timestamp: string): string {
  return new Date(timestamp).toISOString()
}

function wider(width: number, name: string): number {
  return Math.min(WIDEST_NAME, Math.max(width, oneLine(name).length))
}

function column(name: string, width: number): string {
  const text = oneLine(name)
  return (text.length > width ? cutWithEllipsis(text, width - 1) : text).padEnd(width)
}

function attributeText(attributes: LogRow['attributes']): string {
  return Object.entries(attributes)
    .map(([key, value]) => {
      const text = oneLine(String(value))
      const shown = cutWithEllipsis(text, LONGEST_ATTRIBUTE)
      return `${oneLine(key)}=${/[\s"]/.test(shown) || shown === '' ? JSON.stringify(shown) : shown}`
    })
    .join(' ')
}
