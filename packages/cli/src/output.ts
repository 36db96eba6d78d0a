/** What the commands print: tables and sentences for people, one JSON document with `--json`. */
import { colorsOf } from './client/colors.ts'
import { terminalJson, terminalText } from './client/terminal-text.ts'
import { EXIT_CODES } from './exit-codes.ts'

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(terminalJson(value, 2))
}

/** Words beside the output, on standard error. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** What the service remarks on its answer. */
export function note(text: string): void {
  say(colorsOf(process.stderr).yellow(`-- ${terminalText(text)}`))
}

export function fail({ code, message }: { code: string; message: string }, asJson: boolean): void {
  if (asJson) printJson({ error: { code, message } })
  else say(`${colorsOf(process.stderr).red('Error:')} ${terminalText(message)}`)
  process.exitCode = EXIT_CODES.failed
}

/** For an empty list, `empty` is printed. */
export function printTable(header: string[], rows: string[][], empty: string): void {
  const [first = '', ...others] = tableLines([header, ...rows])
  print(rows.length === 0 ? empty : [colorsOf().dim(first), ...others].join('\n'))
}

/** Columns as wide as their widest cell; the first of them, as many as are numbers, end at the same place. */
export function tableLines(rows: readonly string[][], numbers = 0): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const padded = (cell: string, column: number) =>
    column < numbers ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)
  return rows.map((row) => row.map(padded).join('  ').trimEnd())
}
