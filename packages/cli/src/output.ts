/** What the commands print: tables and sentences for people, one JSON document with `--json`. */
import { replaceUnseenBetweenLetters } from '@tidemark/wire/text/stranger-text'
import pc from 'picocolors'
import { terminalJson } from './client/terminal-text.ts'

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(terminalJson(value, 2))
}

export function fail(error: { code: string; message: string }, asJson: boolean): void {
  if (asJson) printJson({ error: { code: error.code, message: error.message } })
  else process.stderr.write(`${pc.red('Error:')} ${error.message.split('\n').map(plain).join('\n')}\n`)
  process.exitCode = 1
}

/** Columns as wide as their widest cell; for an empty list, `empty` is printed. */
export function printTable(header: string[], rows: string[][], empty: string): void {
  if (rows.length === 0) {
    print(empty)
    return
  }
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  print(pc.dim(line(header)))
  for (const row of rows) print(line(row))
}

/** Names, and messages that repeat what was typed, are a stranger's text: what steers or hides must not reach a terminal. */
export function plain(text: string): string {
  return replaceUnseenBetweenLetters(text, () => '�').replace(/[\t\n]/g, '�')
}
