/** A client that notices every kind of unfairness: an answer cut short, a connection reset, a request never answered. */
import { Agent, request } from 'node:http'

type Tally = {
  /** Complete answers by status. */
  answered: Record<number, number>
  /** Connections refused before anything was sent: the proper way to be refused. */
  refused: number
  /** Anything else, in words. */
  broken: string[]
}

/**
 * One client that asks again and again, over a kept connection or a new one each time, until it is refused. `answered` is
 * called whenever it was told something.
 */
export async function askUntilRefused(
  port: number,
  path: string,
  { keepAlive, answered }: { keepAlive: boolean; answered: () => void },
): Promise<Tally> {
  const tally: Tally = { answered: {}, refused: 0, broken: [] }
  const agent = new Agent({ keepAlive, maxSockets: 1 })
  while (tally.refused === 0 && tally.broken.length === 0) {
    await askOnce(agent, port, path, tally)
    answered()
  }
  agent.destroy()
  return tally
}

function askOnce(agent: Agent, port: number, path: string, tally: Tally): Promise<void> {
  return new Promise((resolve) => {
    let received = 0
    let isAnswering = false
    const asked = request({ agent, port, path, host: '127.0.0.1' }, (response) => {
      isAnswering = true
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
      response.on('error', () => {}) // told by 'close' below
      response.on('close', () => {
        const { statusCode = 0, headers, complete } = response
        const isWhole = complete && received === Number(headers['content-length'])
        if (isWhole) tally.answered[statusCode] = (tally.answered[statusCode] ?? 0) + 1
        else tally.broken.push(`answer ${statusCode} cut off after ${received} of ${headers['content-length']} bytes`)
        resolve()
      })
    })
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (isAnswering) return
      if (error.code === 'ECONNREFUSED') tally.refused++
      else tally.broken.push(`${error.code} without an answer on a ${asked.reusedSocket ? 'kept' : 'new'} connection`)
      resolve()
    })
    asked.end()
  })
}
