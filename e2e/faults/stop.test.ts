import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { NO_HARM, Trial } from '../support/service/trial.ts'
import { report, times } from './report.ts'

it('SIGTERM under load ends within 10 s with exit code 0 and loses nothing', async () => {
  const stops = times(20)
  const trial = await Trial.begin()
  const durations: number[] = []
  for (let stop = 0; stop < stops; stop++) {
    await sleep(300 + Math.random() * 1_000)
    const startedAt = Date.now()
    expect(await trial.service.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    durations.push(Date.now() - startedAt)
    await trial.restart()
  }
  const verdict = await trial.verdict()
  report({ fault: 'SIGTERM under load', times: stops, ...verdict, note: `slowest ${Math.max(...durations)} ms` })
  expect(verdict).toMatchObject(NO_HARM)
  expect(verdict.stored).toBe(verdict.acknowledged)
  expect(Math.max(...durations)).toBeLessThan(10_000)
})

it('clients that vanish in the middle of a body leave nothing behind', async () => {
  const trial = await Trial.begin({ connections: 1 })
  const count = times(1) * 2_000
  for (let sent = 0; sent < count; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => vanish(trial.service.port)))
  }
  const verdict = await trial.verdict()
  report({ fault: 'client vanished', times: count, ...verdict })
  expect(verdict).toMatchObject(NO_HARM)
  expect(verdict.stored).toBe(verdict.acknowledged)
})

function vanish(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        'POST /v1/logs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"logs":[{"message":"half',
      )
      setTimeout(() => socket.resetAndDestroy(), Math.random() * 20)
    })
    socket.on('close', () => resolve()).on('error', () => {})
  })
}
