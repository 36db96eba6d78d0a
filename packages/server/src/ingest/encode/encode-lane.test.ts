import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { RECEIVED_US } from '../testing/read-body.ts'
import { EncodeLane, type SlowLimits } from './encode-lane.ts'

/** A small program, but each `z` makes the search go to the end of the text: minutes of work. */
const ENDLESS = { message: 'z'.repeat(60_000), pattern: 'z.*[yw]|z' }
const QUICK = { message: 'emp-1234', pattern: 'emp-[0-9]{4}' }
const UNTIL_CLOSED: SlowLimits = { runMs: 600_000, waitMs: 600_000 }

let lane: EncodeLane
afterEach(() => lane.close())

function open(slow: SlowLimits): void {
  lane = new EncodeLane({ threads: 2, slow, log: pino({ level: 'silent' }) })
}

function send(projectId: string, { message, pattern }: typeof QUICK): Promise<unknown> {
  const job = {
    body: Buffer.from(JSON.stringify({ message })),
    contentType: '',
    contentEncoding: '',
    receivedUs: RECEIVED_US,
    projectId,
    project: { defaultEnvironment: 'production', retentionDays: 30 },
    redaction: { disabled: [], rules: [{ name: 'own', pattern }], fields: [] },
  }
  return lane.run(projectId, { kind: 'encode', job }, [])
}

describe('a batch that may be slow', () => {
  it('is refused at its deadline, to be sent again, and its thread is replaced', async () => {
    open({ ...UNTIL_CLOSED, runMs: 1 })
    const refusal = {
      code: 'unavailable',
      retryAfterSeconds: 30,
      message: expect.stringMatching(/^The redaction rules of this project took longer than 0.001 seconds/),
    }
    await expect(send('slow', ENDLESS)).rejects.toMatchObject(refusal)
    expect(lane.waitingBytes).toBe(0)
    await expect(send('slow', ENDLESS)).rejects.toMatchObject(refusal)
  })

  it('waits no longer than it may for its turn', async () => {
    open({ ...UNTIL_CLOSED, waitMs: 1 })
    await expect(send('slow', QUICK)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/other projects .* None of it was stored/),
    })
    expect(lane.waitingBytes).toBe(0)
  })

  it('does not wait for those of another project, nor for the memory that they hold', async () => {
    open(UNTIL_CLOSED)
    const slow = Promise.allSettled(Array.from({ length: 5 }, () => send('slow', ENDLESS)))
    const large = { ...QUICK, message: ' '.repeat(16 * 1024 * 1024) }
    await expect(send('slow', large)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await send('quick', QUICK)).toMatchObject({ accepted: 1, redactions: { own: 1 } })
    await lane.close()
    expect((await slow).every(({ status }) => status === 'rejected')).toBe(true)
    expect(lane.waitingBytes).toBe(0)
  })
})
