/** What the options say of every record reaches it whichever logger wrote it: ours, pino or winston. */
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import winston from 'winston'
import { createTidemark, withContext } from './index.ts'
import { tidemarkPino } from './pino.ts'
import { type SentRecord, startPeer } from './testing/peer.ts'
import { TidemarkTransport } from './winston.ts'

const OPTIONS = { ingestKey: 'tidemark_ingest_test', attributes: { region: 'eu', tier: 'gold', logger: 'shop' } }

type Log = (message: string, attributes?: Record<string, unknown>) => void
/** Logs through one of the three, and resolves when everything is sent. */
type Way = (url: string, options: { traceContext?: TraceContext }, work: (log: Log) => void) => Promise<unknown>
type TraceContext = () => { traceId: string; spanId?: string } | undefined

const throughOurs: Way = (url, options, work) => {
  const client = createTidemark({ ...OPTIONS, ...options, url })
  work((message, attributes) => client.info(message, attributes))
  return client.close()
}
const throughPino: Way = async (url, _, work) => {
  const stream = await tidemarkPino({ ...OPTIONS, url })
  const logger = pino({ base: null }, stream)
  work((message, attributes) => logger.info(attributes ?? {}, message))
  await new Promise<void>((resolve) => stream.end(resolve))
}
const throughWinston: Way = async (url, options, work) => {
  const transport = new TidemarkTransport({ ...OPTIONS, ...options, url })
  const logger = winston.createLogger({ transports: [transport] })
  work((message, attributes) => logger.info(message, attributes))
  await new Promise<void>((resolve) => logger.end(() => resolve()))
  await transport.flush()
}

async function sent(way: Way, work: (log: Log) => void, options = {}): Promise<SentRecord[]> {
  const peer = await startPeer()
  onTestFinished(() => peer.stop())
  await way(peer.url, options, work)
  return peer.stored()
}

describe.each([
  ['the SDK’s own logger', throughOurs],
  ['pino', throughPino],
  ['winston', throughWinston],
])('a record of %s', (_, way) => {
  it('carries the attributes of the options, and its own win', async () => {
    const records = await sent(way, (log) => {
      log('plain')
      log('own', { tier: 'free', orderId: 7, logger: 'billing' })
    })
    expect(records.map(({ message, logger, attributes }) => [message, logger, attributes])).toEqual([
      ['plain', 'shop', { region: 'eu', tier: 'gold' }],
      ['own', 'billing', { region: 'eu', tier: 'free', orderId: 7 }],
    ])
  })
})

describe.each([
  ['the SDK’s own logger', throughOurs],
  ['winston', throughWinston],
])('a record of %s', (_, way) => {
  const traced = (traceContext: TraceContext) =>
    sent(
      way,
      (log) => {
        log('theirs')
        log('its own', { traceId: 'own' })
        withContext({ traceId: 'context', step: 1 }, () => log('of the context'))
      },
      { traceContext },
    )
  const own = [
    ['its own', 'own', undefined],
    ['of the context', 'context', undefined],
  ]

  it('is in the active trace of another library unless it knows its own', async () => {
    const records = await traced(() => ({ traceId: 'otel', spanId: 'span' }))
    expect(records.map(({ message, traceId, spanId }) => [message, traceId, spanId])).toEqual([
      ['theirs', 'otel', 'span'],
      ...own,
    ])
    expect(records[2].attributes).toEqual({ region: 'eu', tier: 'gold', step: 1 })
  })

  it('is sent without a trace when the other library fails', async () => {
    const records = await traced(() => {
      throw new Error('theirs')
    })
    expect(records.map(({ message, traceId, spanId }) => [message, traceId, spanId])).toEqual([
      ['theirs', undefined, undefined],
      ...own,
    ])
  })
})

it('a line of pino that names a logger twice keeps both names', async () => {
  const [record] = await sent(throughPino, (log) => log('m', { name: 'payments', logger: 'cards' }))
  expect(record).toMatchObject({ logger: 'payments', attributes: { logger: 'cards' } })
})
