/**
 * Sends what waits before the process ends. A natural end (`beforeExit`) is held up until it is sent or the time is
 * over; `process.exit()` or an uncaught exception leaves no time for promises, so then it is sent while the thread
 * waits.
 */
import type { EndOfProgram } from '../platform.ts'
import { sendAtExit } from './send-at-exit.ts'

/** `failed`: a flush could not send everything, so the next one is not worth the wait. */
type State = { flush: 'none' | 'running' | 'failed' }

const ends = new Map<EndOfProgram, State>()

export function watchEndOfProcess(end: EndOfProgram): () => void {
  if (ends.size === 0) {
    process.on('beforeExit', onBeforeExit)
    process.on('exit', onExit)
  }
  ends.set(end, { flush: 'none' })
  return () => {
    ends.delete(end)
    if (ends.size > 0) return
    process.off('beforeExit', onBeforeExit)
    process.off('exit', onExit)
  }
}

/** Comes again after each round of work; the process ends when a round finds nothing to do. */
function onBeforeExit(): void {
  for (const [end, state] of ends) {
    if (end.pendingRecords() === 0 || state.flush !== 'none') continue
    state.flush = 'running'
    void end.flush(end.timeoutMs).then(({ pending }) => {
      state.flush = pending > 0 ? 'failed' : 'none'
    })
  }
}

function onExit(): void {
  for (const [end, state] of ends) {
    if (end.pendingRecords() === 0) continue
    if (state.flush !== 'failed' && end.timeoutMs > 0) sendAtExit(end)
    end.giveUp()
  }
}
