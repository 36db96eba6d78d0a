/** The clockwork of alerts over a real control store and records in memory. */
import { HOUR_MS, MINUTE_MS, MINUTE_US } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SETTLE_MS } from '../alerts/delivery-rules.ts'
import type { Control } from '../control/open.ts'
import { createLog } from '../log.ts'
import type { LogStore } from '../logstore/log-store.ts'
import type { StoredRecord } from '../logstore/questions.ts'
import { sampleRecord } from '../logstore/testing/segment.ts'
import type { AlertChannel } from '../model/alert.ts'
import type { ProjectWithSettings } from '../model/project.ts'
import { addChannel, addRule, alertProject, type Clock, fail, testClock, testSender } from '../testing/alerts.ts'
import { controlBackends } from '../testing/control.ts'
import { recordsInMemory } from '../testing/records-in-memory.ts'
import { openReading } from '../verbs/open-reading.ts'
import { watchForAlerts } from './watch-for-alerts.ts'

const backend = controlBackends()[0]!
let control: Control
let project: ProjectWithSettings
let channel: AlertChannel
let clock: Clock
let records: StoredRecord[]
let made = 0
/** Called with each question for analyses. */
let listed: (input: { environment?: string | undefined }) => void

beforeAll(async () => {
  control = await backend.open()
})
afterAll(() => backend.close())
beforeEach(async () => {
  made += 1
  clock = testClock(Date.UTC(2026, 0, 20, 12) + made * 60 * 24 * HOUR_MS)
  project = await alertProject(control, `Watched ${made}`)
  channel = await addChannel(control, project.id, { name: `ops ${made}` })
  records = []
  listed = () => {}
})

/** `ago`: minutes before now. */
function log(ago: number, some: Partial<StoredRecord> = {}): void {
  records.push({
    ...{ ...sampleRecord(), id: `log_${records.length}`, timeUs: clock.nowMs * 1_000 - Math.round(ago * MINUTE_US) },
    ...{ pattern: '0'.repeat(16), fingerprint: null, receivedMs: 0, level: 'info', error: null },
    ...{ environment: 'production', service: 'web', ...some },
  })
}

function jobOf(kind: 'deploys' | 'queries' | 'silence' | 'spikes', logStore: Pick<LogStore, 'project'>) {
  const publicUrl = 'https://logs.example'
  const reading = openReading({ control, logStore, secretKey: 'secret', publicUrl, now: clock.now })
  const listAnalyses: typeof reading.listAnalyses = async (caller, input, signal) => {
    listed(input)
    return await reading.listAnalyses(caller, input, signal)
  }
  const parts = { control, logStore, reading: { ...reading, listAnalyses } }
  const jobs = watchForAlerts({ ...parts, log: createLog('silent'), now: clock.now })
  return jobs.find(({ name }) => name === `alerts: ${kind}`)!
}

/** One look of one kind. */
async function look(kind: Parameters<typeof jobOf>[0]) {
  const { logs } = recordsInMemory(records.toSorted((a, b) => a.timeUs - b.timeUs))
  await jobOf(kind, { project: () => logs }).run(new AbortController().signal)
}

/** What is told, once it has settled, with the channel of each. */
async function toldIn() {
  clock.pass(SETTLE_MS)
  const { sender, tried } = testSender(control, clock)
  await sender.runOnce()
  return tried.flatMap((sent) => sent.titles.map((title) => [sent.channel, title]))
}

/** To this test's channel. */
async function told() {
  return (await toldIn()).filter(([name]) => name === channel.name).map(([, title]) => title)
}

describe('a query over its threshold', () => {
  const rule = (some = {}) =>
    addRule(control, project.id, {
      ...{ name: 'Timeouts', reasons: ['query'], query: 'level:error', threshold: 3, windowMinutes: 5 },
      channelIds: [channel.id],
      ...some,
    })

  it('is told once until it has fallen below', async () => {
    await rule()
    for (const ago of [1, 2]) log(ago, { level: 'error' })
    await look('queries')
    expect(await told()).toEqual([])
    log(0.5, { level: 'error' })
    await look('queries')
    expect(await told()).toEqual(['Timeouts'])
    clock.pass(MINUTE_MS)
    await look('queries')
    expect(await told()).toEqual([])
    clock.pass(10 * MINUTE_MS)
    await look('queries')
    expect(await told()).toEqual([])
    for (const ago of [1, 2, 3]) log(ago, { level: 'error' })
    await look('queries')
    expect(await told()).toEqual(['Timeouts'])
  })

  it('counts only the environment and the service of its rule', async () => {
    await rule({ environment: 'staging', service: 'api' })
    for (const ago of [1, 2, 3]) log(ago, { level: 'error' })
    for (const ago of [1, 2, 3]) log(ago, { level: 'error', environment: 'staging' })
    await look('queries')
    expect(await told()).toEqual([])
    for (const ago of [1, 2, 3]) log(ago, { level: 'error', environment: 'staging', service: 'api' })
    await look('queries')
    expect(await told()).toEqual(['Timeouts'])
  })

  it('is told by two nodes that look at once, once', async () => {
    await rule()
    for (const ago of [1, 2, 3]) log(ago, { level: 'error' })
    await Promise.all([look('queries'), look('queries')])
    expect(await told()).toEqual(['Timeouts'])
  })

  it('that was switched off and on again is told again, and one that is off is not asked', async () => {
    const { id, projectId: _, createdAt: __, createdBy: ___, ...asked } = await rule()
    const change = { by: 'operator', nowMs: clock.nowMs }
    for (const ago of [1, 2, 3]) log(ago, { level: 'error' })
    await control.alertRules.change(project.id, id, { ...asked, isOn: false }, change)
    await look('queries')
    expect(await told()).toEqual([])
    await control.alertRules.change(project.id, id, { ...asked, isOn: true }, change)
    await look('queries')
    expect(await told()).toEqual(['Timeouts'])
  })
})

describe('a log store that is slow', () => {
  /** It takes its time for the rules of this test. Each has a window of its own, by which it is known. */
  async function slowJob() {
    for (const windowMinutes of [1, 2, 3, 4, 5]) {
      const query = { query: 'level:error', threshold: 1, windowMinutes }
      const name = `rule ${windowMinutes}`
      await addRule(control, project.id, { name, reasons: ['query'], ...query, channelIds: [channel.id] })
    }
    const asked: number[] = []
    const { logs } = recordsInMemory([])
    const total: typeof logs.total = async ({ range }) => {
      asked.push((range.toUs - range.fromUs) / MINUTE_US)
      clock.pass(MINUTE_MS / 2)
      return 0
    }
    const slow = { ...logs, total }
    return { asked, job: jobOf('queries', { project: (id) => (id === project.id ? slow : logs) }) }
  }

  it('is asked for no more than a minute in a run, and the next run goes on where the last one ended', async () => {
    const { asked, job } = await slowJob()
    const { signal } = new AbortController()
    const counts: number[] = []
    while (asked.length < 10) {
      const before = asked.length
      await job.run(signal)
      counts.push(asked.length - before)
    }
    expect(Math.max(...counts)).toBeLessThan(5)
    expect(asked.slice(0, 5).toSorted()).toEqual([1, 2, 3, 4, 5])
    expect(asked.slice(5, 10).toSorted()).toEqual([1, 2, 3, 4, 5])
  })

  it('is asked for the environments of one project in turns too', async () => {
    const environments = ['a', 'b', 'c', 'd', 'e']
    for (const environment of environments) {
      const rule = { name: environment, environment, channelIds: [channel.id] }
      await addRule(control, project.id, { reasons: ['spiking_analysis'], ...rule })
    }
    const { logs } = recordsInMemory([])
    const job = jobOf('spikes', { project: () => logs })
    const asked: (string | undefined)[] = []
    listed = ({ environment }) => {
      if (!environments.includes(environment ?? '')) return
      asked.push(environment)
      clock.pass(MINUTE_MS / 2)
    }
    const { signal } = new AbortController()
    await job.run(signal)
    expect(asked.length).toBeLessThan(5)
    while (asked.length < 5) await job.run(signal)
    expect(asked.slice(0, 5).toSorted()).toEqual(environments)
  })

  it('is asked no more once the service stops', async () => {
    const { asked, job } = await slowJob()
    await job.run(AbortSignal.abort())
    expect(asked).toEqual([])
  })
})

describe('a service that fell silent', () => {
  it('is told once until it speaks again', async () => {
    await addRule(control, project.id, { reasons: ['silent_service'], channelIds: [channel.id] })
    const steadily = (fromAgo: number, untilAgo: number, service: string) => {
      for (let ago = fromAgo; ago > untilAgo; ago -= 5) log(ago, { service })
    }
    steadily(24 * 60, 0, 'web')
    steadily(24 * 60, 120, 'worker')
    await look('silence')
    expect(await told()).toEqual(['worker has stopped logging'])
    clock.pass(5 * MINUTE_MS)
    log(0, { service: 'web' })
    await look('silence')
    expect(await told()).toEqual([])
    steadily(2, 0, 'worker')
    await look('silence')
    expect(await told()).toEqual([])
    clock.pass(9 * HOUR_MS)
    steadily(9 * 60, 0, 'web')
    await look('silence')
    expect(await told()).toEqual(['worker has stopped logging'])
  })
})

describe('a bad deploy', () => {
  it('is told once, with why', async () => {
    await addRule(control, project.id, { reasons: ['bad_deploy'], channelIds: [channel.id], service: 'web' })
    const deployedAtUs = clock.nowMs * 1_000 - 31 * MINUTE_US
    const deploy = { sha: '4f2a9c1d0e', environment: 'production', deployedAtUs }
    await control.deploys.record(project.id, deploy, clock.nowMs)
    for (let ago = 600; ago > 0; ago -= 1) log(ago)
    for (let ago = 30; ago > 0; ago -= 0.25) {
      const fingerprint = 'b'.repeat(16)
      log(ago, { level: 'error', fingerprint })
      await fail(control, project.id, {
        kind: 0,
        clock,
        fingerprint,
        atUs: clock.nowMs * 1_000 - Math.round(ago * MINUTE_US),
        service: 'web',
      })
    }
    for (let at = 0; at < 3; at += 1) {
      await look('deploys')
      clock.pass(MINUTE_MS)
    }
    expect(await told()).toEqual(['Deploy of 4f2a9c1d0e to production'])
    await look('deploys')
    expect(await told()).toEqual([])
  })
})

describe('an error that spikes', () => {
  const fingerprint = 'c'.repeat(16)
  const title = `Error ${fingerprint}`
  const at = async (ago: number) => {
    log(ago, { level: 'error', fingerprint })
    const atUs = clock.nowMs * 1_000 - Math.round(ago * MINUTE_US)
    await fail(control, project.id, { kind: 0, clock, fingerprint, atUs })
  }
  /** Of an error that is older than records are kept: then each new one moves the slices by which its onset is found. */
  const spike = async () => {
    for (let ago = 31 * 24 * 60; ago > 60; ago -= 360) await at(ago)
    for (let ago = 40; ago > 0; ago -= 1) await at(ago)
  }

  it('is told once', async () => {
    await addRule(control, project.id, { reasons: ['spiking_analysis'], channelIds: [channel.id] })
    await spike()
    await look('spikes')
    expect(await told()).toEqual([title])
    clock.pass(5 * MINUTE_MS)
    await look('spikes')
    expect(await told()).toEqual([])
  })

  it('is told once by a rule that has other reasons too, wherever it is seen to have begun', async () => {
    const reasons = ['spiking_analysis', 'silent_service', 'bad_deploy'] as const
    await addRule(control, project.id, { reasons: [...reasons], channelIds: [channel.id] })
    await spike()
    await look('spikes')
    expect(await told()).toEqual([title])
    for (let looked = 0; looked < 3; looked += 1) {
      clock.pass(2 * HOUR_MS)
      await at(0.5)
      await look('silence')
      await look('deploys')
      await look('spikes')
      expect(await told()).toEqual([])
    }
  })

  it('is told to a channel once by two rules that notice it at different times, and to another one by the second', async () => {
    const other = await addChannel(control, project.id, { name: `others ${made}` })
    await addRule(control, project.id, { name: 'a', reasons: ['spiking_analysis'], channelIds: [channel.id] })
    await spike()
    await look('spikes')
    expect(await told()).toEqual([title])
    clock.pass(2 * HOUR_MS)
    await at(0.5)
    const channelIds = [channel.id, other.id]
    await addRule(control, project.id, { name: 'b', reasons: ['spiking_analysis'], channelIds })
    await look('spikes')
    expect(await toldIn()).toEqual([[other.name, title]])
  })

  it('that has not grown for half a day is another one when it grows again', async () => {
    const reasons = ['spiking_analysis', 'silent_service'] as const
    await addRule(control, project.id, { reasons: [...reasons], channelIds: [channel.id] })
    await spike()
    await look('spikes')
    expect(await told()).toEqual([title])
    clock.pass(36 * HOUR_MS)
    await at(0)
    await look('spikes')
    expect(await told()).toEqual([])
    clock.pass(HOUR_MS)
    for (let ago = 40; ago > 0; ago -= 0.5) await at(ago)
    await look('spikes')
    expect(await told()).toEqual([title])
  })
})
