import { MAX_CHANGED_AT_ONCE } from '@tidemark/wire/limits'
import { withCommas } from '@tidemark/wire/text/counted'
import { RequestError } from '../../api/request.ts'

type Change = (ids: readonly string[]) => Promise<unknown>

/**
 * Changes them in as many requests as it takes, one after the other, each for all or none of its own. Ends with the first
 * that fails: `error` says what was not done then, `done` which were.
 */
export async function inBatches(
  ids: readonly string[],
  change: Change,
  onDone: (done: number) => void = () => {},
): Promise<{ done: string[]; error: Error | null }> {
  const done: string[] = []
  for (let at = 0; at < ids.length; at += MAX_CHANGED_AT_ONCE) {
    const batch = ids.slice(at, at + MAX_CHANGED_AT_ONCE)
    try {
      await change(batch)
    } catch (error) {
      return { done, error: done.length === 0 ? (error as Error) : partly(done.length, ids.length, error as Error) }
    }
    done.push(...batch)
    onDone(done.length)
  }
  return { done, error: null }
}

/** With its status: whose session has ended is led away, however far it came. */
function partly(done: number, all: number, error: Error): Error {
  const message = `Done for ${withCommas(done)} of ${withCommas(all)}; the others are as they were. ${error.message}`
  return error instanceof RequestError ? new RequestError(error.status, error.code, message) : new Error(message)
}
