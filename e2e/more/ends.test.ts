/** How the service ends: nobody is cut off, and it is quick about it. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { holdRequest } from '../../packages/server/src/testing/raw-http.ts'
import { askUntilRefused } from '../support/clients/load.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { startService, tidemark } from '../support/service/service.ts'

const OFTEN = { interval: 5 }
/** What the service says when it had to cut somebody off, or did not end by itself. */
const LATE = /did not finish in time|could not stop in time/

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('under load cuts nobody off: each request is answered whole or refused at the connection', async () => {
    const service = await startService({ engine: false })
    let asked = 0
    const answered = () => {
      asked += 1
    }
    const clients = Array.from({ length: 30 }, (_, index) =>
      askUntilRefused(service.port, '/healthz', { keepAlive: index < 20, answered }),
    )
    await expect.poll(() => asked, OFTEN).toBeGreaterThan(300)
    const exit = await service.stop(signal)
    const results = await Promise.all(clients)
    const sum = (count: (result: (typeof results)[number]) => number) =>
      results.reduce((total, result) => total + count(result), 0)
    expect(exit).toEqual({ code: 0, signal: null })
    expect(results.flatMap(({ broken }) => broken)).toEqual([])
    expect(sum(({ answered }) => answered[200] ?? 0)).toBeGreaterThan(30)
    expect(results.flatMap(({ answered }) => Object.keys(answered)).filter((s) => !['200', '503'].includes(s))).toEqual(
      [],
    )
    expect(sum(({ refused }) => refused)).toBe(30)
  })

  it('lets a slow request finish, also when the signal comes twice', async () => {
    const service = await startService({ engine: false })
    const head = await holdRequest(service.port, `GET /healthz HTTP/1.1\r\nHost: localhost\r\n`)
    const body = await holdRequest(
      service.port,
      'POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a":',
    )
    service.signal(signal)
    await expect.poll(() => service.stderr(), OFTEN).toContain('"msg":"stopping"')
    service.signal(signal)
    await expect.poll(() => isListening(service.port), OFTEN).toBe(false)
    const answers = [await body.finish('"bc"}'), await head.finish('\r\n')]
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([
      [404, 'close'],
      [200, 'close'],
    ])
    expect(answers.map(({ body }) => JSON.parse(body))).toMatchObject([
      { error: { code: 'not_found' } },
      { status: 'ok' },
    ])
    expect(await service.exited()).toEqual({ code: 0, signal: null })
  })
})

describe('an end', () => {
  it('during the start is clean too', async () => {
    const dataDir = temporaryFolder()
    const ended = tidemark(['serve'], { dataDir })
    const pid = () =>
      existsSync(join(dataDir, 'tidemark.pid')) ? readFileSync(join(dataDir, 'tidemark.pid'), 'utf8') : ''
    await expect.poll(pid, { interval: 5 }).toMatch(/^\d+\n$/)
    process.kill(Number(pid()), 'SIGTERM')
    expect((await ended).code).toBe(0)
  })

  it('is quick when nobody asks for anything, although connections are kept open', async () => {
    const service = await startService({ until: 'listening' })
    await holdRequest(service.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(await service.stop()).toEqual({ code: 0, signal: null })
    expect(service.stderr()).not.toMatch(LATE)
  })

  it('by Ctrl-C in the terminal of `npm start` is clean and quick', async () => {
    const service = await startService({ command: ['npm', 'start'], until: 'listening' })
    const pid = Number(readFileSync(join(service.dataDir, 'tidemark.pid'), 'utf8'))
    service.pressControlC()
    await service.exited()
    expect(service.stderr()).not.toMatch(LATE)
    // npm keeps the exit code to itself; the last line is written just before the service exits with 0.
    expect(service.stderr()).toMatch(/"msg":"stopped"\}\n/)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
