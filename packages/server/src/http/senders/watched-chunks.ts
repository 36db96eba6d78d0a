/** The chunks of a body without an end. With each one, and regularly while none comes, it is checked whether to go on. */
import type { Readable } from 'node:stream'

type Watch = {
  /** Called with each chunk, and this often while none comes. Ends the reading by throwing. */
  check: (waitedMs: number) => Promise<void>
  everyMs: number
  /** Checks at once. */
  stopping: AbortSignal
  now: () => number
}

/** The stream is left open: the code that answers closes it. The time spent on a chunk does not count as waiting. */
export async function* watchedChunks(
  body: Readable,
  { check, everyMs, stopping, now }: Watch,
): AsyncGenerator<{ chunk: Buffer; waitedMs: number }> {
  const chunks = body.iterator({ destroyOnReturn: false })
  for (;;) {
    const sinceMs = now()
    const next = chunks.next() as Promise<IteratorResult<Buffer>>
    let result = await within(next, everyMs, stopping)
    while (result === 'waits') {
      await check(now() - sinceMs)
      result = await within(next, everyMs, stopping)
    }
    const waitedMs = now() - sinceMs
    await check(waitedMs)
    if (result.done) return
    yield { chunk: result.value, waitedMs }
  }
}

function within<Result>(next: Promise<Result>, ms: number, stopping: AbortSignal): Promise<Result | 'waits'> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      stopping.removeEventListener('abort', wait)
    }
    const wait = () => {
      leave()
      resolve('waits')
    }
    const timer = setTimeout(wait, ms)
    stopping.addEventListener('abort', wait)
    if (stopping.aborted) wait()
    next.then(
      (result) => {
        leave()
        resolve(result)
      },
      (error) => {
        leave()
        reject(error)
      },
    )
  })
}
