/**
 * What waits leaves before the process does. A natural end (`beforeExit`) is held up until it is sent or the time is over;
 * an end by `process.exit()` or an uncaught exception leaves no time for promises, so there it is sent while the thread
 * waits.
 */
import type { EndOfProgram } from '../platform.ts'
import { sendAtExit } from './send-at-exit.ts'

const ends = new Map<EndOfProgram, { hasFailed: boolean }>()

export function watchEndOfProcess(end: EndOfProgram): () => void {
  if (ends.size === 0) {
    process.on('beforeExit', onBeforeExit)
    process.on('exit', onExit)
  }
  ends.set(end, { hasFailed: false })
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
    if (end.pendingRecords() === 0 || state.hasFailed) continue
    // Set before: a flush that cannot bring everything out must not be begun again and again.
    state.hasFailed = true
    void end.flush(end.timeoutMs).then(({ pending }) => {
      state.hasFailed = pending > 0
    })
  }
}

function onExit(): void {
  for (const [end, state] of ends) {
    if (end.pendingRecords() === 0) continue
    if (!state.hasFailed && end.timeoutMs > 0) sendAtExit(end)
    end.giveUp()
  }
}
