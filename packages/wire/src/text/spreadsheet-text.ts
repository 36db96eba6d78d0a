/**
 * Text for a cell that no spreadsheet reads as a formula. An apostrophe before it means "this is text". In many locales `;`
 * or a tab separates cells. A quote counts only at the beginning of a cell, so these locales also split quoted cells, and end
 * the row at line breaks in them. The beginning of each such part is therefore protected like the beginning of the cell.
 */
import { UNSEEN_CHARACTERS } from './stranger-text.ts'

const SEPARATOR = '[;\\t\\r\\n]'
/** Characters that a spreadsheet may skip before a formula, and apostrophes, so that one more can be taken off again. */
const SKIPPED = `(?:(?!${SEPARATOR})[\\s"'${UNSEEN_CHARACTERS}])*`
const FORMULA = `(?=${SKIPPED}[=+\\-@＝＋－＠])`
/** Some spreadsheets drop these characters at the beginning of a cell, and then read what follows. */
const DROPPED = "(?='*[\\t\\r\\n\\0])"

const UNSAFE = new RegExp(`(?:^|(?<=${SEPARATOR}))${FORMULA}|^${DROPPED}`, 'gu')
const PROTECTED = new RegExp(`(?:^|(?<=${SEPARATOR}))'${FORMULA}|^'${DROPPED}`, 'gu')

export function safeInSpreadsheet(text: string): string {
  return text.replace(UNSAFE, "'")
}

/** Reverses `safeInSpreadsheet`. */
export function outOfSpreadsheet(cell: string): string {
  return cell.replace(PROTECTED, '')
}
