/** Sends what the console prints, after printing it. */
import type { Logger } from './logger.ts'
import type { ConsoleMethod } from './options.ts'
import { describeError, isErrorLike } from './record/describe-error.ts'
import type { Level } from './record/level.ts'
import { textFor } from './record/record-fields.ts'

const LEVEL_OF: Readonly<Record<ConsoleMethod, Level>> = {
  trace: 'trace',
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
}

type Format = (values: readonly unknown[]) => string

/** The returned function restores the console. */
export function captureConsole(which: true | readonly ConsoleMethod[], logger: Logger, format: Format): () => void {
  const methods = (Object.keys(LEVEL_OF) as ConsoleMethod[]).filter((name) => which === true || which.includes(name))
  const target = logger.child({ logger: 'console' })
  let isStopped = false
  // What our own work prints, or the application's hooks within it, must not come back to us.
  let isBusy = false
  const originals = methods.map((name) => {
    const original = console[name]
    const captured = (...values: unknown[]): void => {
      original.apply(console, values)
      if (isBusy || isStopped) return
      isBusy = true
      try {
        const error = values.find(isErrorLike)
        target.log(LEVEL_OF[name], messageOf(values, error, format), error)
      } catch {
        // The line was printed; a console call never throws.
      } finally {
        isBusy = false
      }
    }
    console[name] = captured
    return { name, original, captured }
  })
  return () => {
    isStopped = true
    // Somebody may have captured it after us; then theirs stays, and ours only passes on.
    for (const { name, original, captured } of originals) if (console[name] === captured) console[name] = original
  }
}

/** The line has only the words of an error: its stack belongs to the record. */
function messageOf(values: readonly unknown[], error: Error | undefined, format: Format): string {
  if (error === undefined) return format(values)
  const words = textFor({ error: describeError(error), attributes: {} })
  return format(values.map((value) => (value === error ? words : value)))
}
