/**
 * The process that holds the embedded engine. It is not part of the server, because a native crash hangs, a runaway query
 * cannot be stopped from inside, and neither may take ingest down. It ends only by SIGKILL,
 * from its parent or from itself: an orderly exit hangs while a query runs, and the data folder survives a kill at any moment.
 */
import { chmodSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { NativeConnection } from './connection-slot.ts'
import { EngineConnections } from './connections.ts'
import { toEngineError } from './error.ts'
import { createEngineServer } from './http.ts'
import type { EngineMessage, EngineOptions } from './options.ts'

type ChdbModule = { Session: new (path: string, options: { connectionArgs: string[] }) => NativeConnection }

const options = JSON.parse(process.argv[2] ?? '{}') as EngineOptions

process.umask(0o077)
// Ctrl-C reaches the whole process group; the parent decides when the engine goes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', die)
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

// A parent that died while this file was being loaded has been missed by the listener above.
if (process.connected) start().catch(fail)
else die()

async function start(): Promise<void> {
  const { Session } = createRequire(options.requireFrom)('chdb') as ChdbModule
  const connections = new EngineConnections({
    open: () => new Session(options.databaseDir, { connectionArgs: [`--config-file=${options.configFile}`] }),
    settings: options.settings,
    slowdown: options.slowdown,
    onStuck: die,
  })
  await connections.ping()
  const server = createEngineServer(connections)
  rmSync(options.socketPath, { force: true })
  server.on('error', fail)
  server.listen(options.socketPath, () => {
    chmodSync(options.socketPath, 0o600)
    tell({ kind: 'ready' })
  })
}

function fail(error: unknown): void {
  const { code, message } = toEngineError(error)
  tell({ kind: 'failed', code, message }, die)
}

function tell(message: EngineMessage, then: () => void = () => {}): void {
  if (process.send) process.send(message, then)
  else then()
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
