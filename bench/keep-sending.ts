/** Records of the moment as fast as some connections can send them, until it is stopped. */
import { Agent } from 'node:http'
import { ndjsonBodies } from './benchmark-records.ts'
import { type Door, post } from './send.ts'

export const CONNECTIONS = 8
export const RECORDS_PER_REQUEST = 1_000
/** More would only take memory: the records differ within a body, and each gets its own time. */
const BODIES = 100

export function keepSending(door: Door) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const bodies = ndjsonBodies(BODIES * RECORDS_PER_REQUEST, RECORDS_PER_REQUEST).map(ofTheMoment)
  const latencies: number[] = []
  let taken = 0
  let acknowledged = 0
  let isOver = false
  const client = async () => {
    for (let at = 0; !isOver; at++) {
      const startedAt = performance.now()
      await post(agent, door, bodies[at % bodies.length] ?? Buffer.alloc(0))
      latencies.push(performance.now() - startedAt)
      acknowledged += RECORDS_PER_REQUEST
    }
  }
  const clients = Promise.all(Array.from({ length: CONNECTIONS }, client))
  return {
    /** Of the requests since the last look. */
    takeLatencies(): number[] {
      const since = latencies.slice(taken)
      taken = latencies.length
      return since
    },
    async stop() {
      isOver = true
      await clients
      agent.destroy()
      return { acknowledged, latencies }
    },
  }
}

/** A record without a time is of the moment when it arrives. */
function ofTheMoment(body: Buffer): Buffer {
  const lines = body.toString().split('\n')
  const timeless = lines.map((line) => JSON.stringify({ ...JSON.parse(line), timestamp: undefined }))
  return Buffer.from(timeless.join('\n'))
}
