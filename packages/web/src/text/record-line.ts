import type { LogRow } from '@tidemark/wire/reading/row'
import { errorHeadline } from '@tidemark/wire/text/error-headline'

type Said = Pick<LogRow, 'message' | 'error'>

/** What the line of a record says: the message, and the error where the message does not say it. */
export function lineOf({ message, error }: Said): string {
  if (!error || (error.message !== '' && message.includes(error.message))) return message
  const told = errorHeadline(error.type, error.message)
  return message === '' || told === '' ? message || told : `${message} · ${told}`
}

/**
 * The lines of errors below the title that they share. Where one of them says more or something else, each begins with that,
 * so that it is read first; what the title says is not repeated.
 */
export function linesBelow(title: string, rows: readonly Said[]): string[] {
  const untold = rows.map((row) => untoldBy(title, row))
  if (untold.every((words) => words === ''))
    return rows.map(({ message, error }) => message || lineOf({ message, error }))
  return rows.map(({ message, error }, at) => {
    const words = untold[at] || error?.message
    return !words || message === '' || message.includes(words) ? lineOf({ message, error }) : `${words} · ${message}`
  })
}

function untoldBy(title: string, { message, error }: Said): string {
  if (!error || (error.message !== '' && message.includes(error.message))) return ''
  const known = title.replace(/…$/, '')
  const told = errorHeadline(error.type, error.message)
  const rest = told.startsWith(known) ? told.slice(known.length) : undefined
  if (rest !== undefined && (rest === '' || rest.startsWith('\n') || known !== title)) return rest.trim()
  return errorHeadline(known.startsWith(`${error.type}: `) ? '' : error.type, error.message)
}
