/** Spreadsheets read a leading apostrophe as "this is text". One more stands before those that were there. */
const FORMULA = /^'*[=+\-@\t\r\n\0＝＋－＠]/

/** A text that no spreadsheet takes for a formula. */
export function safeInSpreadsheet(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** What such a text was before. */
export function outOfSpreadsheet(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}
