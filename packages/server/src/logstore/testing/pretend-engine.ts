/** A supervisor over a child that only plays the engine: it answers, is silent, dies or never starts, as configured. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type EngineDeadlines, EngineSupervisor, type SupervisorParts } from '../engine/supervisor.ts'

/** Its behaviour is in the configuration file, so that a test can change it while it runs. */
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

export function pretendEngine(
  deadlines: EngineDeadlines,
  { slowdown = 1, pause }: { slowdown?: number; pause?: SupervisorParts['pause'] } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-supervisor-'))
  const childPath = join(folder, 'pretender.cjs')
  writeFileSync(childPath, PRETENDER)
  const supervisor = new EngineSupervisor({
    runtime: { command: process.execPath, args: [], env: {}, requireFrom: '', slowdown },
    options: {
      databaseDir: join(folder, 'database'),
      configFile: join(folder, 'mode'),
      socketPath: join(folder, 'engine.sock'),
      requireFrom: '',
      settings: {},
      slowdown,
    },
    childPath,
    pidFile: join(folder, 'engine.pid'),
    deadlines,
    log: pino({ level: 'silent' }),
    onReady: () => {},
    ...(pause && { pause }),
  })
  return {
    folder,
    supervisor,
    behave: (mode: 'well' | 'mute' | 'mortal' | 'broken') => writeFileSync(join(folder, 'mode'), mode),
    pid: () => Number(readFileSync(join(folder, 'engine.pid'), 'utf8').split(' ')[0]),
    async end() {
      await supervisor.close()
      rmSync(folder, { recursive: true })
    },
  }
}
