import { get } from 'node:http'

const GRACE_MS = 1_000

/**
 * Asks the engine whether it lives, until it does not answer for `silenceMs` or the watch is stopped. Resolves true when
 * it is silent. It asks once more before it says so: when our own process or the whole machine stood still, the clock
 * ran out while the answer lay in the socket.
 */
export async function isSilent(socketPath: string, silenceMs: number, signal: AbortSignal): Promise<boolean> {
  const startedAt = Date.now()
  let isAlive = false
  while (!isAlive && !signal.aborted && Date.now() - startedAt < silenceMs) {
    isAlive = await answers(socketPath, silenceMs, signal)
    if (!isAlive) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  if (isAlive || signal.aborted) return false
  return !(await answers(socketPath, GRACE_MS, signal))
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
