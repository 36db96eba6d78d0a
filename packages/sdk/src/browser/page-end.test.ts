import { expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../client.ts'
import type { Tidemark, TidemarkOptions, TidemarkProblem } from '../index.ts'
import { patientPlatform } from '../testing/patient-platform.ts'
import { type Peer, type Received, type Reply, startPeer } from '../testing/peer.ts'
import type { Page } from './page.ts'
import { watchPageEnd } from './page-end.ts'

const KIB = 1024
/** With a message of so many bytes a record has a little more. */
const big = (name: string, bytes: number) => name + '.'.repeat(bytes - name.length)
const nameOf = ({ message }: { message: string }) => message.replace(/\.+$/, '')

type Setting = {
  peer: Peer
  client: Tidemark
  problems: TidemarkProblem[]
  hide(): void
  leave(): void
  /** Lets the usual requests pass. */
  go(): void
  /** Usual requests that passed and have no answer yet. */
  underWay(): number
}

/** A client in a page of which only the end matters: what it sends otherwise waits for `go`. */
async function setUp(
  answer: (received: Received, count: number) => Reply | Promise<Reply> = () => ({}),
  options: Partial<TidemarkOptions> = {},
): Promise<Setting> {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const target = Object.assign(new EventTarget(), { document })
  const peer = await startPeer(answer)
  const { platform, clock } = patientPlatform()
  let go = (): void => {}
  const allowed = new Promise<void>((resolve) => {
    go = resolve
  })
  const problems: TidemarkProblem[] = []
  const client = createClient(
    {
      url: peer.url,
      ingestKey: 'tidemark_ingest_test',
      maxBatchBytes: 48 * KIB,
      onError: (problem) => problems.push(problem),
      ...options,
    },
    {
      ...platform,
      post: (request) => allowed.then(() => platform.post(request)),
      watchEnd: (end) => watchPageEnd(end, target as unknown as Page),
    },
  )
  onTestFinished(async () => {
    go()
    await client.close({ timeoutMs: 0 })
    await peer.stop()
  })
  return {
    peer,
    client,
    problems,
    go,
    underWay: clock.underWay,
    hide() {
      document.visibilityState = 'hidden'
      document.dispatchEvent(new Event('visibilitychange'))
    },
    leave: () => void target.dispatchEvent(new Event('pagehide')),
  }
}

const messagesIn = (peer: Peer) => peer.stored().map(nameOf)
const waitFor = (check: () => void) => vi.waitFor(check, 10_000)

it('sends all that fits, passes over what does not, and keeps that for later', async () => {
  const { peer, client, hide, go } = await setUp()
  client.info(big('huge', 63 * KIB))
  client.info(big('first', 20 * KIB))
  client.info(big('second', 20 * KIB))
  client.info(big('too much', 40 * KIB))
  client.info(big('third', 15 * KIB))
  hide()
  await waitFor(() => expect(client.stats().queued).toBe(2))
  expect(messagesIn(peer).sort()).toEqual(['first', 'second', 'third'])
  go()
  expect(await client.flush()).toMatchObject({ ok: true, delivered: 2 })
  expect(messagesIn(peer).sort()).toEqual(['first', 'huge', 'second', 'third', 'too much'])
  expect(client.stats()).toMatchObject({ sent: 5, dropped: 0, queued: 0, queuedBytes: 0 })
})

it('counts what is still on its way, and sends nothing a second time when the page is left after it was hidden', async () => {
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { peer, client, hide, leave } = await setUp(() => answered.then(() => ({})))
  client.info(big('on its way', 40 * KIB))
  hide()
  client.info(big('too much', 30 * KIB))
  leave()
  client.info('small')
  leave()
  await waitFor(() => expect(peer.received).toHaveLength(2))
  answer()
  await waitFor(() => expect(client.stats()).toMatchObject({ sent: 2, queued: 1 }))
  expect(messagesIn(peer)).toEqual(['on its way', 'small'])
})

it('reports and counts the records that the service rejects, once', async () => {
  const body = { accepted: 1, rejected: [{ index: 1, reason: 'The time is too old.' }] }
  const { peer, client, problems, hide, go, underWay } = await setUp((_, count) => (count <= 2 ? { body } : {}))
  client.info('good')
  client.info('bad')
  hide()
  await waitFor(() => expect(client.stats().queued).toBe(0))
  // The usual request says the same a second time.
  go()
  await waitFor(() => expect([peer.received.length, underWay()]).toEqual([2, 0]))
  expect(await client.flush()).toMatchObject({ delivered: 1, lost: 1 })
  expect(messagesIn(peer)).toEqual(['good', 'bad', '1 record was lost before it could be sent'])
  expect(client.stats()).toMatchObject({ sent: 2, dropped: 1, droppedBy: { rejected: 1 } })
  expect(problems).toMatchObject([
    { code: 'records_rejected', message: 'The service rejected 1 of 2 records. First reason: The time is too old.' },
  ])
})

it('keeps what was answered with a wait, and loses what was refused', async () => {
  const replies: Reply[] = [{ status: 429, headers: { 'retry-after': '1' } }, { status: 401 }]
  const { peer, client, problems, hide, leave, go } = await setUp((_, count) => replies[count - 1] ?? {})
  client.info('waits')
  hide()
  await waitFor(() => expect(peer.received).toHaveLength(1))
  // It may only be sent again when its answer was read.
  await waitFor(() => {
    leave()
    expect(peer.received).toHaveLength(2)
  })
  await waitFor(() => expect(client.stats()).toMatchObject({ queued: 0, droppedBy: { refused: 1 } }))
  expect(problems.map(({ code }) => code)).toEqual(['key_refused'])
  go()
})
