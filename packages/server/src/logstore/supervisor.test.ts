/** With a child that only plays the engine: what the supervisor does when it dies, hangs or never comes up. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EngineSupervisor } from './supervisor.ts'

/** What it does stands in the configuration file, so that a test can change its mind while it runs. */
const PRETENDER = `
const { readFileSync, rmSync } = require('node:fs')
const { configFile, socketPath } = JSON.parse(process.argv[2])
const mode = () => readFileSync(configFile, 'utf8')
process.on('disconnect', () => process.exit())
if (mode() === 'broken') process.send({ kind: 'failed', code: 1001, message: 'broken; sees ' + Object.keys(process.env) })
else if (mode() === 'mortal') process.send({ kind: 'ready' }, () => process.exit(3))
else {
  rmSync(socketPath, { force: true })
  require('node:http')
    .createServer((_, reply) => mode() !== 'mute' && reply.end('Ok.'))
    .listen(socketPath, () => process.send({ kind: 'ready' }))
}
`

describe('the supervisor of the engine', () => {
  let folder: string
  let supervisor: EngineSupervisor
  const behave = (mode: 'well' | 'mute' | 'mortal' | 'broken') => writeFileSync(join(folder, 'mode'), mode)
  const pid = () => readFileSync(join(folder, 'engine.pid'), 'utf8').split(' ')[0]

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-supervisor-'))
    const childPath = join(folder, 'pretender.cjs')
    writeFileSync(childPath, PRETENDER)
    supervisor = new EngineSupervisor({
      runtime: { command: process.execPath, args: [], env: {}, requireFrom: '', emulated: false },
      options: {
        databaseDir: join(folder, 'database'),
        configFile: join(folder, 'mode'),
        socketPath: join(folder, 'engine.sock'),
        requireFrom: '',
        settings: {},
        stretch: 1,
      },
      childPath,
      pidFile: join(folder, 'engine.pid'),
      deadlines: { startMs: 10_000, silenceMs: 300 },
      log: pino({ level: 'silent' }),
      onReady: () => {},
    })
  })
  afterEach(async () => {
    await supervisor.close()
    rmSync(folder, { recursive: true })
  })

  it('ends an engine that does not answer and starts another', async () => {
    behave('well')
    await supervisor.start()
    expect(supervisor.state).toBe('ready')
    const first = pid()
    behave('mute')
    await expect.poll(() => supervisor.restarts, { timeout: 10_000 }).toBe(1)
    behave('well')
    await expect.poll(() => supervisor.state, { timeout: 10_000 }).toBe('ready')
    expect(pid()).not.toBe(first)
  })

  it('calls it failed after five restarts within a minute, and starts it again all the same', async () => {
    behave('mortal')
    await supervisor.start()
    await expect.poll(() => supervisor.state, { timeout: 20_000, interval: 20 }).toBe('failed')
    expect(supervisor.restarts).toBe(5)
    behave('well')
    await expect.poll(() => supervisor.state, { timeout: 20_000 }).toBe('ready')
  })

  it('throws when the engine cannot start at all: what to do for the reader, the reason for the log', async () => {
    behave('broken')
    const error = await supervisor.start().then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ code: 'unavailable' })
    expect(error.message).toContain(join(folder, 'database'))
    expect(error.message).not.toContain('broken')
    expect(error.cause.message).toContain('broken')
  })

  it('keeps our environment, where secrets are, from the engine', async () => {
    behave('broken')
    const error = await supervisor.start().catch((thrown) => thrown)
    const seen: string[] = error.cause.message.split('sees ')[1].split(',')
    expect(seen.filter((name) => !name.startsWith('NODE_CHANNEL')).sort()).toEqual(['TZ', 'UV_THREADPOOL_SIZE'])
  })
})
