/** The overview over a real control store and records in memory. */
import { MINUTE_US } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { StoredRecord } from '../../logstore/questions.ts'
import { sampleRecord } from '../../logstore/testing/segment.ts'
import type { Caller } from '../../model/caller.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import { openReading } from '../open-reading.ts'

const NOW_US = Date.UTC(2026, 0, 20, 12) * 1_000
const backend = controlBackends()[0]!

let control: Control
let project: ProjectWithSettings
let records: StoredRecord[]
let made = 0

beforeAll(async () => {
  control = await backend.open()
})
afterAll(() => backend.close())
beforeEach(async () => {
  made += 1
  project = await newProject(`Overview ${made}`)
  records = []
})

async function newProject(name: string): Promise<ProjectWithSettings> {
  const { id } = await control.projects.create({ name, retentionDays: 30 }, { by: 'operator', nowMs: 0 })
  return (await control.projects.get(id))!
}

/** `ago`: minutes before now. */
function log(ago: number, some: Partial<StoredRecord> = {}): void {
  records.push({
    ...sampleRecord(),
    id: `log_${records.length}`,
    timeUs: NOW_US - Math.round(ago * MINUTE_US),
    pattern: '0'.repeat(16),
    fingerprint: null,
    receivedMs: 0,
    level: 'info',
    environment: 'production',
    service: 'web',
    error: null,
    ...some,
  })
}

/** Every five minutes, from and until so many minutes ago. */
function steadily(fromAgo: number, untilAgo: number, some: Partial<StoredRecord> = {}): void {
  for (let ago = fromAgo; ago > untilAgo; ago -= 5) log(ago, some)
}

async function failed(agos: readonly number[], fingerprint: string, some: Partial<StoredRecord> = {}): Promise<void> {
  for (const ago of agos) {
    log(ago, { level: 'error', fingerprint, ...some })
    const group = errorGroup(project.id, {
      environment: 'production',
      fingerprint,
      atUs: NOW_US - Math.round(ago * MINUTE_US),
    })
    await control.analyses.record([{ segmentId: `seg_${made}_${fingerprint}_${ago}`, groups: [group] }], NOW_US / 1_000)
  }
}

/** `asked` gets the name of every question to the log store; with `passing`, a millisecond goes by with each look at the clock. */
const reading = ({ asked = [], passing = false }: { asked?: string[]; passing?: boolean } = {}) => {
  const { logs } = recordsInMemory(records.toSorted((a, b) => a.timeUs - b.timeUs))
  let nowMs = NOW_US / 1_000
  return openReading({
    control,
    logStore: { project: () => noting(logs, asked) },
    secretKey: 'secret',
    publicUrl: 'https://logs.example',
    now: () => (passing ? nowMs++ : nowMs),
  })
}

function noting(logs: ProjectLogs, asked: string[]): ProjectLogs {
  const questions = Object.entries(logs).map(([name, ask]) => [
    name,
    (...question: unknown[]) => {
      asked.push(name)
      return ask(...question)
    },
  ])
  return Object.fromEntries(questions)
}
const caller = (own = project): Caller => ({ kind: 'key', keyId: 'key_1', keyKind: 'read', project: own })
const every = (minutes: number, fromAgo: number, untilAgo: number) =>
  Array.from({ length: Math.floor((fromAgo - untilAgo) / minutes) }, (_, at) => fromAgo - at * minutes)
const A = 'a'.repeat(16)
const B = 'b'.repeat(16)

describe('levels and services', () => {
  it('are counted in the window and in the time just before, most errors first', async () => {
    steadily(120, 0)
    steadily(120, 0, { service: 'quiet' })
    await failed([50, 40, 30], A)
    await failed([110], B, { service: 'quiet' })
    const found = await reading().getOverview(caller(), { from: '-1h' })
    expect(found).toMatchObject({
      records: 27,
      baseRecords: 25,
      levels: [
        { level: 'error', count: 3, baseCount: 1 },
        { level: 'info', count: 24, baseCount: 24 },
      ],
      services: [
        { service: 'web', records: 15, errors: 3, baseRecords: 12, baseErrors: 0 },
        { service: 'quiet', records: 12, errors: 0, baseRecords: 13, baseErrors: 1 },
      ],
      empty: null,
    })
    const [web, quiet] = found.services
    expect(web!.trend.reduce((sum, count) => sum + count, 0)).toBe(3)
    expect(quiet!.trend).toHaveLength(web!.trend.length)
  })

  it('end now where the range ends later, so that an hour is compared with an hour', async () => {
    steadily(120, 0)
    await failed([50, 40, 30], A)
    const now = await reading().getOverview(caller(), { from: '-1h' })
    const asked = { from: '-1h', to: 'now+1h' }
    expect(await reading().getOverview(caller(), asked)).toEqual(now)
    expect(now).toMatchObject({ records: 15, baseRecords: 12, window: { to: '2026-01-20T12:00:00Z' } })
    const ahead = await reading().getOverview(caller(), { from: 'now+1h', to: 'now+2h' })
    expect(ahead.window).toEqual({ from: '2026-01-20T13:00:00Z', to: '2026-01-20T14:00:00Z' })
  })

  it('are those of the environment asked for', async () => {
    steadily(60, 0)
    steadily(60, 0, { environment: 'staging', service: 'stage' })
    const { services, environment } = await reading().getOverview(caller(), { from: '-1h', environment: 'staging' })
    expect([environment, services.map(({ service }) => service)]).toEqual(['staging', ['stage']])
  })
})

describe('analyses', () => {
  it('are told apart by what they did: new, back, spiking, and left out when they only go on', async () => {
    const [C, D] = ['c'.repeat(16), 'd'.repeat(16)]
    const days = 24 * 60
    await failed(every(5, 60, 0), A)
    await failed([...every(60, 9 * days, 8 * days), 30, 20], B)
    await failed([...every(120, 4 * days, 60), ...every(1, 40, 0)], C)
    await failed(every(60, 4 * days, 0), D)
    const { newAnalyses, regressedAnalyses, spikingAnalyses, states } = await reading().getOverview(caller(), {})
    const counts = [newAnalyses, regressedAnalyses, spikingAnalyses].map((list) => list.map(({ count }) => count))
    expect(counts).toEqual([[12], [26], [87]])
    expect(states).toMatchObject({ new: 1, regressed: 1, ongoing: 2 })
  })

  it('have spiked when they clearly grew in the window, also in its midst and by few', async () => {
    const days = 24 * 60
    await failed([...every(120, 4 * days, 700), ...every(2, 640, 620), ...every(120, 600, 0)], A)
    await failed([...every(120, 4 * days, 2 * days), ...every(2, 2 * days, 2 * days - 20), ...every(120, 1_500, 0)], B)
    const { spikingAnalyses } = await reading().getOverview(caller(), {})
    expect(spikingAnalyses).toMatchObject([{ count: 57, onset: '2026-01-20T01:20:00Z' }])
    expect(spikingAnalyses[0]!.anchor < spikingAnalyses[0]!.onset).toBe(true)
  })

  it('have spiked and are quiet now where the growth was long ago in the window', async () => {
    const days = 24 * 60
    await failed([...every(360, 12 * days, 3 * days), ...every(2, 3 * days, 3 * days - 60)], A)
    const { spikingAnalyses } = await reading().getOverview(caller(), { from: '-7d' })
    expect(spikingAnalyses).toMatchObject([{ state: 'ongoing', activity: 'quiet' }])
  })
})

describe('a window in the past', () => {
  const DAYS = 24 * 60
  const [C, D] = ['c'.repeat(16), 'd'.repeat(16)]
  /** From five to four days ago. */
  const window = { from: 'now-5d', to: 'now-4d' }
  const titles = (list: readonly { title: string }[]) => list.map(({ title }) => title)

  beforeEach(async () => {
    // A goes on through the window, B began in it, C spiked after it, D was silent in it and came back yesterday.
    await failed(every(180, 9 * DAYS, 10), A)
    await failed(every(60, 4.5 * DAYS, 3.5 * DAYS), B)
    await failed([...every(180, 9 * DAYS, 2 * DAYS), ...every(1, 2 * DAYS, 2 * DAYS - 60)], C)
    await failed([...every(60, 10 * DAYS, 9.8 * DAYS), ...every(10, DAYS, 0.5 * DAYS)], D)
  })

  it('lists what began and what spiked in it, and nothing of before or after', async () => {
    const { newAnalyses, regressedAnalyses, spikingAnalyses, states } = await reading().getOverview(caller(), window)
    expect([newAnalyses, regressedAnalyses, spikingAnalyses].map(titles)).toEqual([[`Error ${B}`], [], []])
    expect(states).toMatchObject({ regressed: 0, ongoing: 3 })
    const spike = await reading().getOverview(caller(), { from: 'now-50h', to: 'now-46h' })
    expect(titles(spike.spikingAnalyses)).toEqual([`Error ${C}`])
  })

  it('calls nothing new that began before it, and puts what began in it first', async () => {
    const [earlier, inside] = ['e'.repeat(16), 'f'.repeat(16)]
    await control.deploys.record(
      project.id,
      { sha: 'abc', environment: 'production', deployedAtUs: NOW_US - 301 * MINUTE_US },
      NOW_US / 1e3,
    )
    await failed(every(3, 300, 0), earlier)
    await failed(every(20, 220, 0), inside)
    const hours = { from: 'now-4h', to: 'now-2h' }
    const { newAnalyses } = await reading().getOverview(caller(), hours)
    expect(titles(newAnalyses)).toEqual([`Error ${inside}`])
    const { analyses } = await reading().listAnalyses(caller(), hours)
    expect(titles(analyses)).toEqual([inside, earlier].map((one) => `Error ${one}`))
  })

  it.each(['rank', 'lastSeen'] as const)('holds only analyses with an error in it, by %s', async (sort) => {
    const found = await reading().listAnalyses(caller(), { ...window, sort })
    expect(titles(found.analyses).toSorted()).toEqual([A, B, C].map((one) => `Error ${one}`))
    if (sort === 'rank') expect(titles(found.analyses)[0]).toBe(`Error ${B}`)
    const nothing = await reading().listAnalyses(caller(), { from: 'now-500m', to: 'now-400m', sort })
    expect([nothing.analyses, nothing.empty]).toEqual([
      [],
      'No analysis has an error in this window, only before and after it: widen the window.',
    ])
  })
})

describe('deploys', () => {
  it('are the latest five with their verdicts, also from before the window', async () => {
    for (const at of [1, 2, 3, 4, 5, 6]) {
      const deployedAtUs = NOW_US - at * 24 * 60 * MINUTE_US
      await control.deploys.record(
        project.id,
        { sha: `abc${at}`, environment: 'production', deployedAtUs },
        NOW_US / 1e3,
      )
    }
    const { deploys, deployVerdicts } = await reading().getOverview(caller(), { from: '-1h' })
    expect(deployVerdicts).toEqual({})
    expect(deploys.map(({ sha, verdict }) => [sha, verdict])).toEqual(
      [1, 2, 3, 4, 5].map((at) => [`abc${at}`, 'too_early']),
    )
  })
})

describe('the deploys of the window', () => {
  it('are judged together with the older ones beside which they are shown', async () => {
    for (const ago of [20, 40, 100, 200, 300, 400]) {
      const deploy = { sha: `abc${ago}`, environment: 'production', deployedAtUs: NOW_US - ago * MINUTE_US }
      await control.deploys.record(project.id, deploy, NOW_US / 1_000)
    }
    steadily(600, 0)
    const asked: string[] = []
    const { deploys, deployVerdicts } = await reading({ asked }).getOverview(caller(), { from: '-1h' })
    expect(deploys.map(({ sha }) => sha)).toEqual(['abc20', 'abc40', 'abc100', 'abc200', 'abc300'])
    expect(Object.values(deployVerdicts).reduce((sum, count) => sum + count, 0)).toBe(2)
    expect(asked.filter((question) => question === 'serviceSpans')).toHaveLength(1)
  })

  it('and the analyses that began with them are explained by what is read once', async () => {
    const deploy = { sha: 'abc1', environment: 'production', deployedAtUs: NOW_US - 31 * MINUTE_US }
    await control.deploys.record(project.id, deploy, NOW_US / 1_000)
    steadily(600, 0)
    await failed(every(1, 30, 5), A)
    const asked: string[] = []
    const found = await reading({ asked, passing: true }).getOverview(caller(), { from: '-1h' })
    expect(found.newAnalyses.map(({ likelyCause }) => likelyCause.kind)).toEqual(['deploy'])
    expect(found.deployVerdicts).toEqual({ suspect: 1 })
    const explaining = ['errorBuckets', 'errorSpans', 'profiles', 'recordSpans', 'startRecords']
    expect(asked.filter((question) => explaining.includes(question)).toSorted()).toEqual(explaining)
  })

  it('are all counted by their verdict, however many are shown', async () => {
    for (const at of [1, 2, 3, 4, 5, 6, 7]) {
      const status = at === 7 ? ('failed' as const) : ('succeeded' as const)
      const deployedAtUs = NOW_US - at * MINUTE_US
      await control.deploys.record(
        project.id,
        { sha: `abc${at}`, environment: 'e', status, deployedAtUs },
        NOW_US / 1e3,
      )
    }
    const { deploys, deployVerdicts } = await reading().getOverview(caller(), { from: '-1h' })
    expect([deploys.length, deployVerdicts]).toEqual([5, { too_early: 6 }])
  })

  it('that did harm are shown, also when newer ones did none', async () => {
    const at = (sha: string, environment: string, ago: number) =>
      control.deploys.record(project.id, { sha, environment, deployedAtUs: NOW_US - ago * MINUTE_US }, NOW_US / 1_000)
    await at('harmful', 'production', 31)
    await at('harmless', 'staging', 30)
    for (const ago of [5, 4, 3, 2, 1]) await at(`new${ago}`, 'staging', ago)
    steadily(600, 0)
    await failed(every(1, 30, 5), A)
    const { deploys, deployVerdicts } = await reading().getOverview(caller(), { from: '-1h' })
    expect(deployVerdicts).toMatchObject({ suspect: 1 })
    expect(deploys.map(({ sha }) => sha)).toEqual(['new1', 'new2', 'new3', 'new4', 'new5', 'harmful'])
  })

  it('are judged up to a number, and it is said when there are more', async () => {
    const told = async () =>
      (await reading().getOverview(caller(), { from: '-1h' })).warnings.map(({ message }) => message)
    const add = (at: number) =>
      control.deploys.record(
        project.id,
        { sha: `abc${at}`, environment: 'e', deployedAtUs: NOW_US - at * 1_000_000 },
        NOW_US / 1_000,
      )
    for (let at = 1; at <= 50; at += 1) await add(at)
    expect(await told()).toEqual([])
    await add(51)
    expect(await told()).toEqual(['This time has more than 50 deploys: their verdicts are counted for the newest 50.'])
  })
})

describe('a service that fell silent', () => {
  it('is told with where and since when, and one that still logs is not', async () => {
    steadily(24 * 60, 0)
    steadily(24 * 60, 120, { service: 'worker' })
    steadily(24 * 60, 0, { service: 'worker', environment: 'staging' })
    const { silentServices } = await reading().getOverview(caller(), { from: '-1h' })
    expect(silentServices).toMatchObject([
      { service: 'worker', environment: 'production', lastSeen: '2026-01-20T10:00:00Z', silentSeconds: 7_200 },
    ])
    const staging = await reading().getOverview(caller(), { from: '-1h', environment: 'staging' })
    expect(staging.silentServices).toEqual([])
  })
})

describe('an empty project', () => {
  it('says so, and what to do', async () => {
    const found = await reading().getOverview(caller(), {})
    expect(found).toMatchObject({
      records: 0,
      levels: [],
      services: [],
      newAnalyses: [],
      deploys: [],
      silentServices: [],
      empty: 'The project has no records yet. Send some to https://logs.example/v1/logs.',
    })
  })

  it('shows nothing of another', async () => {
    await failed([30, 20], A)
    const other = await newProject(`Other ${made}`)
    const { newAnalyses, deploys } = await reading().getOverview(caller(other), {})
    expect([newAnalyses, deploys]).toEqual([[], []])
  })
})
