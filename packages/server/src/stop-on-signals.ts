import type { Log } from './log.ts'

/** The whole stop must end within this, whatever hangs. */
export const STOP_DEADLINE_MS = 9_500

/**
 * Aborts at SIGTERM or SIGINT; the process must then end before the deadline. A terminal and npm may both pass on
 * Ctrl-C, so a second signal changes nothing.
 */
export function stopOnSignals(log: Log): AbortSignal {
  const stopping = new AbortController()
  const stop = (signal: string) => {
    if (stopping.signal.aborted) return
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('could not stop in time')
      process.exit(1)
    }, STOP_DEADLINE_MS).unref()
    stopping.abort()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  return stopping.signal
}
