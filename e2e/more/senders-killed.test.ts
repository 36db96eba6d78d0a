import { type ClientRequest, request } from 'node:http'
import { expect, it } from 'vitest'
import { engineRows } from '../support/service/engine-query.ts'
import { createProject, type TestProject } from '../support/service/ingest-project.ts'
import { type Service, startService } from '../support/service/service.ts'
import { settled } from '../support/service/settled.ts'

const RECORDS_PER_REQUEST = 50
const CONNECTIONS = 3
/** The service is killed when this many requests of the protocol were answered, and others are under way. */
const ANSWERED_BEFORE = 20

/** Times finer than milliseconds, and ids: what comes again is then known. */
const PROTOCOLS = {
  'an Elasticsearch bulk': {
    path: '/_bulk',
    type: 'application/x-ndjson',
    body: (messages: string[]) =>
      messages
        .map((message) => `{"create":{"_index":"logs-shop-staging","_id":"${message}"}}\n{"message":"${message}"}\n`)
        .join(''),
  },
  'a push of Loki': {
    path: '/loki/api/v1/push',
    type: 'application/json',
    body: (messages: string[], at: number) => {
      const values = messages.map((message, place) => [
        `${Date.now()}${String((place + 1) * 1_000 + (at % 1_000)).padStart(6, '0')}`,
        message,
      ])
      return JSON.stringify({ streams: [{ stream: { app: 'shop' }, values }] })
    },
  },
}

type Sending = { messages: string[]; body: string; isAnswered: boolean }

it.each(Object.keys(PROTOCOLS) as (keyof typeof PROTOCOLS)[])(
  'a service that is killed in the middle of %s has all that it acknowledged, once',
  async (name) => {
    const { path, type, body } = PROTOCOLS[name]
    // The log store comes last: until then all of it waits on the disk.
    let service = await startService({ engine: false })
    const project = await createProject(service, 'killed')
    const sendings: Sending[] = []
    const make = (): Sending => {
      const at = sendings.length
      const messages = Array.from({ length: RECORDS_PER_REQUEST }, (_, place) => `record ${at}-${place}`)
      const sending = { messages, body: body(messages, at), isAnswered: false }
      sendings.push(sending)
      return sending
    }

    const half = make()
    const begun = post(service, project, { path, type, length: Buffer.byteLength(half.body) })
    begun.on('error', () => {})
    begun.write(half.body.slice(0, half.body.length / 2))
    let isKilled = false
    const clients = Array.from({ length: CONNECTIONS }, async () => {
      while (!isKilled) {
        const sending = make()
        sending.isAnswered = await isTaken(service, project, { path, type }, sending.body)
      }
    })
    await expect
      .poll(() => sendings.filter(({ isAnswered }) => isAnswered).length, { timeout: 60_000 })
      .toBeGreaterThan(ANSWERED_BEFORE)
    isKilled = true
    await service.stop('SIGKILL')
    await Promise.all(clients)
    const acknowledged = sendings.filter(({ isAnswered }) => isAnswered).length
    expect(half.isAnswered).toBe(false)

    service = await startService({ dataDir: service.dataDir })
    // What had no answer is sent again, as every shipper does.
    for (const { isAnswered, body } of sendings) {
      if (!isAnswered) expect(await isTaken(service, project, { path, type }, body)).toBe(true)
    }
    await settled(service)
    const rows = await engineRows<{ message: string; records: number }>(
      service.dataDir,
      `SELECT message, toUInt32(count()) AS records FROM logs WHERE project = '${project.id}' GROUP BY message`,
    )
    const stored = new Map(rows.map(({ message, records }) => [message, records]))
    expect(acknowledged).toBeGreaterThan(ANSWERED_BEFORE)
    expect(sendings.flatMap(({ messages }) => messages).filter((message) => !stored.has(message))).toEqual([])
    expect(rows.filter(({ records }) => records !== 1)).toEqual([])
    expect(stored.size).toBe(sendings.length * RECORDS_PER_REQUEST)
  },
  300_000,
)

type To = { path: string; type: string; length?: number }

function post({ url }: Service, { ingestKey }: TestProject, { path, type, length }: To): ClientRequest {
  return request(url + path, {
    method: 'POST',
    agent: false,
    auth: `tidemark:${ingestKey}`,
    headers: { 'content-type': type, ...(length !== undefined && { 'content-length': length }) },
  })
}

/** False when there was no answer. An answer that is none of success fails the test. */
function isTaken(service: Service, project: TestProject, to: To, body: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const sending = post(service, project, { ...to, length: Buffer.byteLength(body) })
    sending.on('error', () => resolve(false))
    sending.on('response', async (answer) => {
      const text = (
        await answer
          .setEncoding('utf8')
          .toArray()
          .catch(() => ['cut off'])
      ).join('')
      if (text === 'cut off') return resolve(false)
      const isSuccess = answer.statusCode === 204 || (answer.statusCode === 200 && JSON.parse(text).errors === false)
      if (isSuccess) resolve(true)
      else reject(new Error(`${answer.statusCode} ${text}`))
    })
    sending.end(body)
  })
}
