/** rsyslog and syslog-ng as they run on most Linux machines: fed over a port of this machine, with what a document tells them to do. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findLogDaemon } from '../../../scripts/log-daemons.mjs'
import { atFileEnd } from '../file-end.ts'
import { freePort } from '../listening.ts'
import { temporaryFolder } from '../service/processes.ts'

/** Writes what the daemon takes for lines that came from elsewhere. */
export type LogDaemon = { write(text: string): Promise<void> }

/** `config` is what stands in its configuration beside where it listens; a sentence when it cannot be had here. */
export async function startRsyslog(config: string): Promise<LogDaemon | string> {
  const daemon = await findLogDaemon('rsyslog')
  if (typeof daemon === 'string') return daemon
  const folder = temporaryFolder()
  const port = await freePort()
  const own = `global(workDirectory="${folder}" processInternalMessages="off")
module(load="imptcp")
input(type="imptcp" port="${port}" address="127.0.0.1")
`
  writeFileSync(join(folder, 'rsyslog.conf'), `${own}${config}`)
  const modules = daemon.libraries.map((path: string) => join(path, 'rsyslog')).join(':')
  run(daemon.program, ['-n', '-M', modules, '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid')], daemon.env)
  return { write: (text) => write(port, text) }
}

/** `config` may use the source `s_src`, and what syslog-ng brings for Elasticsearch. */
export async function startSyslogNg(config: string): Promise<LogDaemon | string> {
  const daemon = await findLogDaemon('syslog-ng')
  if (typeof daemon === 'string') return daemon
  const folder = temporaryFolder()
  const port = await freePort()
  const own = `@version: 3.38
@include "${join(daemon.folder, 'usr/share/syslog-ng/include/scl/elasticsearch/*.conf')}"
options { keep-hostname(yes); };
source s_src { network(ip("127.0.0.1") port(${port}) transport("tcp") flags(syslog-protocol) log-iw-size(20000)); };
`
  writeFileSync(join(folder, 'syslog-ng.conf'), `${own}${config}`)
  const modules = daemon.libraries.map((path: string) => join(path, '3.38')).join(':')
  mkdirSync(join(folder, 'var'))
  const files = ['-f', 'syslog-ng.conf', '-R', 'persist', '-p', 'pid', '-c', 'ctl'].map((argument) =>
    argument.startsWith('-') ? argument : join(folder, argument),
  )
  run(daemon.program, ['-F', '--no-caps', ...files, `--module-path=${modules}`], daemon.env)
  return { write: (text) => write(port, text) }
}

/** As RFC 3164 writes the time, in UTC. */
export function oldTime(): string {
  const [, day, month, , clock] = new Date().toUTCString().split(' ')
  return `${month} ${String(Number(day)).padStart(2)} ${clock}`
}

function run(program: string, args: string[], more: Record<string, string>): void {
  const child = spawn(program, args, { env: { PATH: process.env.PATH, TZ: 'UTC', ...more }, stdio: 'ignore' })
  daemons.add(child)
  child.once('exit', () => daemons.delete(child))
  // One that cannot be run at all has no exit.
  child.once('error', (error) => {
    daemons.delete(child)
    console.error(error)
  })
}

const daemons = new Set<ChildProcess>()
atFileEnd(async () => {
  const ends = [...daemons].map((child) => once(child, 'exit'))
  for (const child of daemons) child.kill('SIGKILL')
  await Promise.all(ends)
})

/** Waits until the daemon listens. */
async function write(port: number, text: string): Promise<void> {
  for (const giveUpAt = Date.now() + 30_000; Date.now() < giveUpAt; await sleep(50)) {
    const socket = connect({ host: '127.0.0.1', port })
    const isConnected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    if (!isConnected) continue
    socket.end(text)
    socket.resume()
    await once(socket, 'close')
    return
  }
  throw new Error('The daemon does not listen.')
}
