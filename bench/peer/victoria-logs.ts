/** VictoriaLogs as one of the stores that are compared: its program, in a throw-away folder, with its own defaults. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { quiet } from '../query/filled.ts'
import { NDJSON } from '../send.ts'
import { folderBytes, usageOf } from '../service-process.ts'
import type { Store } from './store.ts'

const INSERT = '/insert/jsonline?_stream_fields=service,environment&_msg_field=message&_time_field=timestamp'
const READY_TIMEOUT_MS = 30_000

export async function openVictoriaLogs(program: string): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-peer-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(program, [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await answers(url, () => child.exitCode !== null)
  const asks = (path: string, fields: Record<string, string>) => () => ask(url, path, fields)
  return {
    door: { url, key: 'none', contentType: NDJSON, path: INSERT },
    ask: {
      newest: asks('query', { query: '_time:1d', limit: '100' }),
      token: asks('query', { query: '_time:1d checkout', limit: '100' }),
      histogram: asks('hits', { query: '_time:1d', step: '15m', field: 'level' }),
      tokenCount: asks('query', { query: '_time:1d checkout | stats count() as total' }),
      byService: asks('query', { query: '_time:1d | stats by (service) count() as total' }),
    },
    async found() {
      const { total } = JSON.parse(await ask(url, 'query', { query: '_time:7d | stats count() as total' }))
      return Number(total)
    },
    settled: () =>
      quiet(async () => {
        const text = await (await fetch(`${url}/metrics`)).text()
        return [...text.matchAll(/^vl_active_merges\S* (\d+)/gm)].some(([, merges]) => Number(merges) > 0)
      }),
    usage: () => usageOf(child.pid ?? 0),
    diskBytes: () => folderBytes(folder),
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ask(url: string, path: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/select/logsql/${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  const text = await response.text()
  if (!response.ok) throw new Error(`VictoriaLogs answered ${response.status} to ${path}: ${text}`)
  return text
}

async function answers(url: string, hasEnded: () => boolean): Promise<void> {
  const until = performance.now() + READY_TIMEOUT_MS
  while (performance.now() < until && !hasEnded()) {
    const response = await fetch(`${url}/health`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) return
    await sleep(20)
  }
  throw new Error('VictoriaLogs did not start')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('there is no port')
  return address.port
}
