import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Peer, type Reply, startPeer } from '../../packages/sdk/src/testing/peer.ts'
import { createSdkProject, runProgram, startProgram } from '../support/sdk/sdk-project.ts'

let folder: string
let peer: Peer
let reply: () => Reply

beforeAll(() => {
  folder = createSdkProject()
})
beforeEach(async () => {
  reply = () => ({})
  peer = await startPeer(() => reply())
})
afterEach(() => peer.stop())

/** With more patience than the default: a thread has to start, connect and be answered on a machine that is busy. */
const create = (options = '') =>
  `import { createTidemark } from '@tidemark/sdk'\nconst tidemark = createTidemark({ exitTimeoutMs: 30_000, ${options} })\n`

function run(source: string, url = peer.url) {
  return runProgram(folder, 'main.mjs', source, { TIDEMARK_URL: url, TIDEMARK_INGEST_KEY: 'tidemark_ingest_test' })
}

const messages = () => peer.stored().map(({ message }) => message)
const HUNDRED = "for (let at = 0; at < 100; at++) tidemark.info('record ' + at)\n"
const hundred = Array.from({ length: 100 }, (_, at) => `record ${at}`)

describe('a program that ends', () => {
  it('by itself has sent everything, without a flush', async () => {
    const { code, stderr, tookMs } = await run(create() + HUNDRED)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(messages()).toEqual(hundred)
    expect(tookMs).toBeLessThan(30_000)
  })

  it('by itself is not held up when there is nothing to send', async () => {
    const { code, stderr } = await run(`${create('captureErrors: true, captureConsole: true')}tidemark.stats()`)
    expect({ code, stderr, received: peer.received.length }).toEqual({ code: 0, stderr: '', received: 0 })
  })

  it('by itself has sent what was logged during the last flush and by other handlers', async () => {
    await run(`${create()}process.once('beforeExit', () => tidemark.info('last words'))\ntidemark.info('first')`)
    expect(messages()).toEqual(['first', 'last words'])
  })

  it('by process.exit() has sent everything and keeps its exit code', async () => {
    const { code, stderr } = await run(`${create() + HUNDRED}process.exit(3)`)
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    expect(messages()).toEqual(hundred)
  })

  it('by process.exit() while a request is under way has stored nothing twice', async () => {
    reply = () => ({ delayMs: 500 })
    const source = `${create('flushIntervalMs: 10')}tidemark.info('under way')\nsetTimeout(() => process.exit(0), 250)`
    const { code } = await run(source)
    expect(code).toBe(0)
    expect(new Set(peer.received.map(({ batchId }) => batchId)).size).toBe(1)
    expect(messages()).toEqual(['under way'])
  })

  it('by process.exit() has sent everything although a copy of it used its batch ids', async () => {
    const body = { error: { code: 'batch_changed', message: 'other bytes' } }
    reply = () => (peer.received.length === 1 ? { status: 409, body } : {})
    const { code, stderr } = await run(`${create()}tidemark.info('once')\nprocess.exit(0)`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(messages()).toEqual(['once'])
    expect(new Set(peer.received.map(({ batchId }) => batchId)).size).toBe(2)
  })

  it('by process.exit() while its natural end is held up has sent everything once', async () => {
    reply = () => ({ delayMs: 1_000 })
    const exit = `process.once('beforeExit', () => setTimeout(() => process.exit(0), 100))\n`
    const { code, stderr } = await run(create() + exit + HUNDRED)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(messages()).toEqual(hundred)
    expect(new Set(peer.received.map(({ batchId }) => batchId)).size).toBe(1)
  })

  it.each(['', 'process.exit(0)'])('says what is lost when what answers is not the service: %s', async (end) => {
    reply = () => ({ body: '<html>Sign in</html>' })
    const { code, stderr } = await run(`${create('exitTimeoutMs: 3000') + HUNDRED}${end}`)
    expect(code).toBe(0)
    expect(stderr).toContain('tidemark: 100 records could not be sent before the program ended and are lost.')
  })

  it('by process.exit() counts what the service rejected as lost, and the rest not', async () => {
    reply = () => ({ body: { accepted: 99, rejected: [{ index: 3, reason: 'too old' }] } })
    const told = `process.on('exit', () => console.log(JSON.stringify(tidemark.stats().droppedBy)))\n`
    const onDrop = 'onDrop: (drop) => console.log(JSON.stringify(drop))'
    const { stdout, stderr } = await run(`${create(onDrop) + told + HUNDRED}process.exit(0)`)
    expect({ stdout, stderr }).toEqual({
      stdout: '{"reason":"rejected","records":1}\n{"rejected":1}\n',
      stderr: 'tidemark: The service rejected 1 of 100 records. First reason: too old\n',
    })
  })

  it('by process.exit() has sent a batch that was too large in parts', async () => {
    reply = () => ({ status: (peer.received.at(-1)?.records.length ?? 0) > 30 ? 413 : 200 })
    const { code, stderr } = await run(`${create() + HUNDRED}process.exit(0)`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(messages().sort()).toEqual([...hundred].sort())
  })

  it('by a signal that it handles has sent everything after close()', async () => {
    const source = `${create()}process.on('SIGTERM', async () => {
      tidemark.info('stopping')
      const { ok } = await tidemark.close()
      process.exit(ok ? 0 : 1)
    })
    setInterval(() => {}, 1000)
    console.log('ready')`
    const program = startProgram(folder, 'main.mjs', source, {
      TIDEMARK_URL: peer.url,
      TIDEMARK_INGEST_KEY: 'tidemark_ingest_test',
    })
    await program.printed('ready')
    program.child.kill('SIGTERM')
    expect((await program.ended).code).toBe(0)
    expect(messages()).toEqual(['stopping'])
  })

  it.each(['', 'process.exit(0)'])('while nobody listens ends in time and says what is lost: %s', async (end) => {
    await peer.stop()
    const { code, stderr, tookMs } = await run(`${create('exitTimeoutMs: 1000') + HUNDRED}${end}`)
    await peer.start()
    expect(code).toBe(0)
    expect(stderr).toContain('tidemark: 100 records could not be sent before the program ended and are lost.')
    expect(tookMs).toBeLessThan(30_000)
  })

  it.each(['', 'process.exit(0)'])('while the service does not answer ends in time: %s', async (end) => {
    reply = () => ({ delayMs: 55_000 })
    const { code, stderr, tookMs } = await run(`${create('exitTimeoutMs: 1000') + HUNDRED}${end}`)
    expect(code).toBe(0)
    expect(stderr).toContain('are lost')
    expect(tookMs).toBeLessThan(30_000)
  })
})

describe('an answer', () => {
  const taken = { error: { code: 'batch_changed', message: 'other bytes' } }
  const told = 'console.log(JSON.stringify([tidemark.stats().sent, tidemark.stats().droppedBy]))'
  const ENDS = {
    running: (timeoutMs: number) => `await tidemark.close({ timeoutMs: ${timeoutMs} })\n${told}`,
    atExit: `process.on('exit', () => ${told})\nprocess.exit(0)`,
  }
  /** What is lost: while the program runs, at exit. */
  it.each<[string, (count: number) => Reply, number, object, object]>([
    ['200', () => ({}), 1, {}, {}],
    ['202 of a proxy that passes on what the service says', () => ({ status: 202, body: { accepted: 1 } }), 1, {}, {}],
    ['204 without a body', () => ({ status: 204 }), 0, { closed: 1 }, { exit: 1 }],
    ['200 without an acknowledgement', () => ({ body: '' }), 0, { closed: 1 }, { exit: 1 }],
    ['409 batch_changed, then 200', (count) => (count === 1 ? { status: 409, body: taken } : {}), 1, {}, {}],
    ['409 batch_changed again and again', () => ({ status: 409, body: taken }), 0, { refused: 1 }, { refused: 1 }],
    [
      '409 of another kind',
      () => ({ status: 409, body: { of: '"batch_changed"' } }),
      0,
      { refused: 1 },
      { refused: 1 },
    ],
    ['429', () => ({ status: 429 }), 0, { closed: 1 }, { exit: 1 }],
    ['500', () => ({ status: 500 }), 0, { refused: 1 }, { refused: 1 }],
  ])('means the same while the program runs and at its end: %s', async (_, answer, sent, lost, lostAtExit) => {
    reply = () => answer(peer.received.length)
    const running = await run(`${create()}tidemark.info('x')\n${ENDS.running('closed' in lost ? 1_500 : 60_000)}`)
    expect(JSON.parse(running.stdout)).toEqual([sent, lost])
    peer.received.length = 0
    const atExit = await run(`${create()}tidemark.info('x')\n${ENDS.atExit}`)
    expect(JSON.parse(atExit.stdout)).toEqual([sent, lostAtExit])
    // What is over is told in the same words; of what could be tried again, that there is no time for it.
    if (!('exit' in lostAtExit)) expect(atExit.stderr).toBe(running.stderr)
    else expect(atExit.stderr).toContain('1 record could not be sent before the program ended and is lost.')
  })
})

describe('a captured error', () => {
  const CRASHES = {
    'an uncaught exception': `setTimeout(() => { throw new RangeError('boom') }, 10)`,
    'an unhandled rejection': `setTimeout(() => Promise.reject(new RangeError('boom')), 10)`,
    'a rejection with a text': `setTimeout(() => Promise.reject('only text'), 10)`,
  }
  const frames = (stderr: string) => stderr.replace(/main\.mjs:\d+/g, 'main.mjs')

  it.each(Object.entries(CRASHES))('ends the process as before and is sent: %s', async (name, crash) => {
    const without = await run(`import '@tidemark/sdk'\n${crash}`)
    const { code, signal, stderr } = await run(`${create('captureErrors: true')}${crash}`)
    expect({ code, signal, stderr: frames(stderr) }).toEqual({
      code: without.code,
      signal: without.signal,
      stderr: frames(without.stderr),
    })
    expect(code).toBe(1)
    expect(peer.stored()).toHaveLength(1)
    expect(peer.stored()[0]).toMatchObject({
      level: 'fatal',
      message: expect.stringContaining(name === 'a rejection with a text' ? 'only text' : 'RangeError: boom'),
      attributes: { mechanism: name === 'an uncaught exception' ? 'uncaughtException' : 'unhandledRejection' },
    })
  })

  it('that the program handles itself is sent, and the program lives on', async () => {
    const { code, stdout } = await run(`${create('captureErrors: true')}
      process.on('uncaughtException', (error) => console.log('handled', error.message))
      process.on('unhandledRejection', (reason) => console.log('handled', reason.message))
      setTimeout(() => { throw new Error('thrown') }, 10)
      setTimeout(() => Promise.reject(new Error('rejected')), 20)
      setTimeout(() => console.log('still here'), 100)`)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'handled thrown\nhandled rejected\nstill here\n' })
    expect(messages()).toEqual(['Error: thrown', 'Error: rejected'])
  })

  it('is left alone after close()', async () => {
    const { code } = await run(`${create('captureErrors: true')}
      process.on('unhandledRejection', () => {})
      process.removeAllListeners('unhandledRejection')
      await tidemark.close()
      Promise.reject(new Error('boom'))`)
    expect(code).toBe(1)
    expect(messages()).toEqual([])
  })
})
