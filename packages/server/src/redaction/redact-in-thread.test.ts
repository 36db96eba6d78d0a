import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRedactionThreads } from './redact-in-thread.ts'

const settings = (pattern: string) => ({ disabled: [], rules: [{ name: 'own', pattern }], fields: [] })
/** A small program, but each `z` makes the search go to the end of the text: minutes of work. */
const ENDLESS = { settings: settings('z.*[yw]|z'), text: 'z'.repeat(64 * 1024), isNew: true }
const QUICK = { settings: settings('emp-[0-9]{4}'), text: 'emp-1234', isNew: true }
const REDACTED = { text: '[REDACTED:own]', redactions: { own: 1 } }

let started: number
let running: Set<Worker>
const watch = (worker: Worker) => {
  started++
  running.add(worker)
  worker.once('exit', () => running.delete(worker))
}
beforeEach(() => {
  started = 0
  running = new Set()
  process.on('worker', watch)
})
afterEach(() => void process.off('worker', watch))

describe('a redaction in a thread', () => {
  it('has the answer and the refusals of one in the main thread', async () => {
    const { sample: redact } = openRedactionThreads()
    expect(await redact('a', QUICK)).toEqual(REDACTED)
    await expect(redact('a', { ...QUICK, settings: settings('x{1,999}') })).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'rules.0.pattern' }],
    })
  })

  it('redacts the fields of an object, with own rules off the main thread, and leaves out what was left out', async () => {
    const { fields } = openRedactionThreads()
    const object = { title: 'emp-1234', url: undefined, empty: null, metadata: { at: [{ password: 'x' }, 'emp-1'] } }
    const redacted = {
      title: '[REDACTED:own]',
      empty: null,
      metadata: { at: [{ password: '[REDACTED:field]' }, 'emp-1'] },
    }
    const answer = await fields('a', QUICK.settings, object)
    expect(answer).toEqual({ fields: redacted, redactions: { own: 1, field: 1 } })
    expect(started).toBe(1)
    expect('url' in answer.fields).toBe(false)
    await fields('a', { ...QUICK.settings, rules: [] }, object)
    expect(started).toBe(1)
  })

  it('asks to send fields again after its deadline, because their sender cannot change the rules', async () => {
    const { fields } = openRedactionThreads({ maxMs: 1 })
    const late = fields('a', ENDLESS.settings, { message: ENDLESS.text })
    await expect(late).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('simpler') })
  })

  it('tries saved rules that are beyond a limit set later', async () => {
    const task = { settings: settings('x{1,999}[yz]'), text: 'an xxy', isNew: false }
    expect(await openRedactionThreads().sample('a', task)).toMatchObject({ text: 'an [REDACTED:own]' })
  })

  it('is ended at its deadline', async () => {
    await expect(openRedactionThreads({ maxMs: 1 }).sample('a', ENDLESS)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/longer than 0.001 seconds.*smaller repeat counts/),
    })
    expect(running.size).toBe(0)
  })

  it('is ended when the client leaves, and never started after that', async () => {
    const { sample: redact } = openRedactionThreads()
    const leaving = new AbortController()
    const first = redact('a', ENDLESS, leaving.signal)
    const second = redact('a', ENDLESS, leaving.signal)
    await expect.poll(() => running.size).toBe(1)
    leaving.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    await expect(second).rejects.toThrow('gone')
    expect({ started, running: running.size }).toEqual({ started: 1, running: 0 })
  })

  it('runs one of a project at a time and lets a few wait, so that the next project has its turn', async () => {
    const { sample } = openRedactionThreads({ threads: 2 })
    const leaving = new AbortController()
    const slow = Promise.allSettled(Array.from({ length: 20 }, () => sample('slow', ENDLESS, leaving.signal)))
    await expect(sample('slow', QUICK)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await sample('quick', QUICK)).toEqual(REDACTED)
    expect({ started, running: running.size }).toEqual({ started: 2, running: 1 })
    leaving.abort(new Error('gone'))
    expect((await slow).every(({ status }) => status === 'rejected')).toBe(true)
    expect(started).toBe(2)
  })
})
