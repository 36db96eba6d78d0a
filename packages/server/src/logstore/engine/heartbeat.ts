import { get } from 'node:http'

/** The share of the time for an answer that is kept for asking once more. */
const GRACE_SHARE = 0.25

/**
 * Asks the engine whether it is alive. Resolves true when it has not answered for `silenceMs`. It asks once more at the
 * end: if our own process or the whole machine was suspended, time ran out while the answer lay in the socket.
 */
export async function isSilent(socketPath: string, silenceMs: number, signal: AbortSignal): Promise<boolean> {
  const patienceMs = silenceMs * (1 - GRACE_SHARE)
  const startedAt = Date.now()
  let isAlive = false
  while (!isAlive && !signal.aborted && Date.now() - startedAt < patienceMs) {
    isAlive = await answers(socketPath, patienceMs, signal)
    if (!isAlive) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  if (isAlive || signal.aborted) return false
  return !(await answers(socketPath, silenceMs * GRACE_SHARE, signal))
}

function answers(socketPath: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ socketPath, path: '/ping', agent: false, signal }, (reply) => {
      reply.resume()
      reply.on('end', () => end(reply.statusCode === 200))
      reply.on('error', () => end(false))
    })
    request.on('error', () => end(false))
    // A timer of our own: a timeout signal joined with another one can be collected by Node before it fires.
    const timer = setTimeout(() => request.destroy(new Error('no answer in time')), timeoutMs)
    const end = (isAlive: boolean) => {
      clearTimeout(timer)
      resolve(isAlive)
    }
  })
}
