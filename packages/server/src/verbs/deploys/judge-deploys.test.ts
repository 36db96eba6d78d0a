/** Verdicts over a real control store and records in memory: the same in the list, in the detail and for whoever waits. */

import type { DeployVerdictAnswer } from '@tidemark/wire/deploys/verdict'
import { MINUTE_US } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { StoredRecord } from '../../logstore/questions.ts'
import { sampleRecord } from '../../logstore/testing/segment.ts'
import type { Caller } from '../../model/caller.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import { openReading } from '../open-reading.ts'

const DAY_MINUTES = 24 * 60
const START_US = Date.UTC(2026, 0, 20) * 1_000
const backend = controlBackends()[0]!

let control: Control
let project: ProjectWithSettings
let records: StoredRecord[]
let nowMinutes: number
let made = 0

beforeAll(async () => {
  control = await backend.open()
})
afterAll(() => backend.close())
beforeEach(async () => {
  made += 1
  const { id } = await control.projects.create(
    { name: `Judged ${made}`, retentionDays: 30 },
    { by: 'operator', nowMs: 0 },
  )
  project = (await control.projects.get(id))!
  records = []
  nowMinutes = 5 * DAY_MINUTES
})

const usOf = (minutes: number) => START_US + Math.round(minutes * MINUTE_US)
const nowMs = () => usOf(nowMinutes) / 1_000

async function deploy(atMinutes: number, sha: string, some: Partial<Deploy> = {}): Promise<Deploy> {
  const input = { sha, environment: 'production', deployedAtUs: usOf(atMinutes), ...some }
  return (await control.deploys.record(project.id, input, nowMs())).deploy
}

function log(atMinutes: number, some: Partial<StoredRecord> = {}): void {
  records.push({
    ...sampleRecord(),
    id: `log_${records.length}`,
    timeUs: usOf(atMinutes),
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

/** Two a minute, all the time. */
function traffic(fromMinutes: number, toMinutes: number, some: Partial<StoredRecord> = {}): void {
  for (let at = fromMinutes; at < toMinutes; at += 0.5) log(at, some)
}

async function errors(times: readonly number[], fingerprint: string, some: Partial<StoredRecord> = {}): Promise<void> {
  for (const at of times) {
    log(at, {
      level: 'error',
      fingerprint,
      pattern: fingerprint,
      message: 'No price found',
      release: 'bbbbbbb2',
      ...some,
    })
    const group = errorGroup(project.id, { environment: 'production', fingerprint, atUs: usOf(at) })
    await control.analyses.record([{ segmentId: `seg_${made}_${fingerprint}_${at}`, groups: [group] }], nowMs())
  }
  records.sort((a, b) => a.timeUs - b.timeUs)
}

const every = (minutes: number, fromMinutes: number, toMinutes: number) =>
  Array.from({ length: Math.floor((toMinutes - fromMinutes) / minutes) }, (_, at) => fromMinutes + at * minutes)

function reading(logs: () => ProjectLogs = () => recordsInMemory(records).logs, more: object = {}) {
  return openReading({
    control,
    logStore: { project: logs },
    secretKey: 'secret',
    publicUrl: 'https://logs.example',
    now: nowMs,
    ...more,
  })
}
const caller = (keyKind: 'read' | 'ingest' = 'read'): Caller => ({ kind: 'key', keyId: 'key_1', keyKind, project })

const A = 'a'.repeat(16)
const KINDS = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(16))

describe('a deploy to an environment without a single record', () => {
  it('says so, and names the environment that is like it', async () => {
    traffic(0, 3 * DAY_MINUTES)
    const misspelled = await deploy(2 * DAY_MINUTES, 'aaaaaaa1', { environment: 'prodution' })
    const { verdict, reasons, checkAgainAt } = await reading().getDeploy(caller(), { id: misspelled.id })
    expect(verdict).toBe('too_early')
    expect(reasons[0]).toBe(
      'No logs in environment prodution, so there is nothing to judge it by. Logs come in as production: the names of environments must be the same.',
    )
    expect(checkAgainAt).toBeNull()
  })

  it('is not called so while the environment has older records', async () => {
    log(0, { environment: 'staging' })
    const silent = await deploy(2 * DAY_MINUTES, 'aaaaaaa1', { environment: 'staging' })
    const { reasons } = await reading().getDeploy(caller(), { id: silent.id })
    expect(reasons[0]).toMatch(/^Nothing was logged in staging since it went live/)
  })
})

describe('a deploy with errors of its own', () => {
  const ownErrors = async () => {
    traffic(0, 3 * DAY_MINUTES, { release: 'aaaaaaa1' })
    await deploy(DAY_MINUTES, 'aaaaaaa1')
    const bad = await deploy(2 * DAY_MINUTES, 'bbbbbbb2')
    await errors(every(2, 2 * DAY_MINUTES + 3, 2 * DAY_MINUTES + 60), A)
    return bad
  }

  it('is accused with the analysis and its numbers, the same in the list and in the detail', async () => {
    const bad = await ownErrors()
    const list = await reading().listDeploys(caller(), {})
    const detail = await reading().getDeploy(caller(), { id: bad.id })
    const [listed, before] = list.deploys
    const { verdict, reasons, before: earlier, after, windows } = detail
    expect(listed).toMatchObject({ verdict, reasons, before: earlier, after, windows })
    expect([earlier, after]).toEqual([windows.at(-1)?.before, windows.at(-1)?.after])
    expect(detail.introduced).toHaveLength(listed?.introduced ?? 0)
    expect(detail).toMatchObject({ verdict: 'bad', checkAgainAt: null })
    expect(detail.reasons[0]).toMatch(/ began 3 min after it, 28 errors \(\w+ confidence\)\./)
    expect(detail.introduced).toMatchObject([
      { began: 'first', count: 28, countsAgainst: true, likelyCause: { kind: 'deploy', deployId: bad.id } },
    ])
    expect(detail.windows.map(({ minutes, before, after }) => [minutes, before.records, after.errors])).toEqual([
      [5, 10, 1],
      [15, 30, 6],
      [60, 120, 28],
    ])
    expect(before?.verdict).toBe('good')
    expect(detail.newPatterns).toEqual([
      {
        pattern: 'No price found',
        count: 28,
        levels: ['error'],
        services: ['web'],
        query: `pattern:${A}`,
      },
    ])
    expect(detail.gonePatterns).toEqual([])
  })

  it('was to blame for the first time even if they came back with another one', async () => {
    const bad = await ownErrors()
    const [analysis] = await control.analyses.list(project.id, { sort: 'lastSeen', limit: 1 }, 0)
    const at = { by: 'operator', nowMs: usOf(2.5 * DAY_MINUTES) / 1_000 }
    await control.analyses.setStatuses(project.id, [analysis!.id], 'resolved', at)
    const again = await deploy(3 * DAY_MINUTES, 'ccccccc3')
    traffic(3 * DAY_MINUTES, 4 * DAY_MINUTES)
    await errors(every(2, 3 * DAY_MINUTES + 2, 3 * DAY_MINUTES + 40), A, { release: 'ccccccc3' })
    const [first, second] = await Promise.all([bad, again].map(({ id }) => reading().getDeploy(caller(), { id })))
    expect(first!.introduced).toMatchObject([{ began: 'first', count: 28, countsAgainst: true }])
    expect(first!.verdict).toBe('bad')
    expect(second!.regressed).toMatchObject([{ began: 'resolved', count: 19, countsAgainst: true }])
    expect(second!.introduced).toEqual([])
    for (const { id } of [bad, again]) {
      const listed = await reading().listAnalyses(caller(), { introducedBy: id })
      expect(listed.analyses.map((one) => one.id)).toEqual([analysis!.id])
    }
  })

  it('has the same errors in the list of analyses as on its page, also those that grew with it', async () => {
    traffic(0, 3 * DAY_MINUTES, { release: 'aaaaaaa1' })
    await errors(every(60, 0, 2 * DAY_MINUTES), A, { release: 'aaaaaaa1' })
    const grown = await deploy(2 * DAY_MINUTES, 'bbbbbbb2')
    await errors(every(1, 2 * DAY_MINUTES + 1, 2 * DAY_MINUTES + 90), A)
    const { regressed } = await reading().getDeploy(caller(), { id: grown.id })
    const listed = await reading().listAnalyses(caller(), { introducedBy: grown.id })
    expect(regressed).toMatchObject([{ began: 'grew' }])
    expect(listed.analyses.map(({ id }) => id)).toEqual(regressed.map(({ id }) => id))
  })

  it('is told which ended with it', async () => {
    await ownErrors()
    const cure = await deploy(2 * DAY_MINUTES + 61, 'ccccccc3')
    const detail = await reading().getDeploy(caller(), { id: cure.id })
    expect(detail.gone).toMatchObject([{ count: 28, began: 'first' }])
    expect(detail).toMatchObject({
      verdict: 'good',
      reasons: expect.arrayContaining(['1 analysis ended with it.']),
    })
  })

  it('shares its end with none of the same moment: the first of them is named, by its page and by the analysis', async () => {
    await ownErrors()
    const [first, second] = [
      await deploy(2 * DAY_MINUTES + 61, 'ccccccc3'),
      await deploy(2 * DAY_MINUTES + 61, 'ddddddd4'),
    ].sort((one, other) => (one.id < other.id ? -1 : 1))
    const gone = async (one: Deploy) => (await reading().getDeploy(caller(), { id: one.id })).gone.length
    expect([await gone(first!), await gone(second!)]).toEqual([1, 0])
    const [analysis] = await control.analyses.list(project.id, { sort: 'lastSeen', limit: 1 }, 0)
    const { analysis: told } = await reading().getAnalysis(caller(), { id: analysis!.id })
    expect(told.course.endedWith?.deployId).toBe(first!.id)
  })

  it('is not suspect because a service that logged nothing but errors is silent since', async () => {
    traffic(2 * DAY_MINUTES - 60, 3 * DAY_MINUTES)
    await deploy(2 * DAY_MINUTES, 'bbbbbbb2')
    await errors(every(0.5, 2 * DAY_MINUTES + 3, 2 * DAY_MINUTES + 120), A, { service: 'worker' })
    const cure = await deploy(2 * DAY_MINUTES + 121, 'ccccccc3')
    expect(await reading().getDeploy(caller(), { id: cure.id })).toMatchObject({
      verdict: 'good',
      gone: [{ count: 234 }],
    })
  })

  it('loses nothing to analyses that are ignored', async () => {
    const bad = await ownErrors()
    const [analysis] = await control.analyses.list(project.id, { sort: 'lastSeen', limit: 1 }, 0)
    await control.analyses.setStatuses(project.id, [analysis!.id], 'ignored', { by: 'operator', nowMs: nowMs() })
    expect((await reading().getDeploy(caller(), { id: bad.id })).introduced).toEqual([])
    const listed = await reading().listAnalyses(caller(), { introducedBy: bad.id })
    expect(listed.analyses).toMatchObject([{ id: analysis!.id, state: 'ignored' }])
  })
})

describe('a deploy', () => {
  it('that failed has no verdict, and says why', async () => {
    const { id } = await deploy(DAY_MINUTES, 'aaaaaaa1', { status: 'failed' })
    expect(await reading().getDeploy(caller(), { id })).toMatchObject({
      verdict: null,
      reasons: ['It failed, so it never went live and there is nothing to judge.'],
      ...{ before: null, after: null, windows: [] },
      checkAgainAt: null,
    })
  })

  it('is not called good while the log store is away, and the answer warns', async () => {
    traffic(0, 2 * DAY_MINUTES)
    const { id } = await deploy(DAY_MINUTES, 'aaaaaaa1')
    const away = async () => {
      throw new AppError('engine_restarting', 'The log store is starting. Try again.')
    }
    const logs = new Proxy({} as ProjectLogs, { get: () => away })
    const { verdict, windows, warnings } = await reading(() => logs).getDeploy(caller(), { id })
    expect([verdict, windows]).toEqual(['too_early', []])
    expect(warnings).toMatchObject([{ message: expect.stringContaining('did not answer') }])
  })

  it('is asked about with as many questions as fifty are', async () => {
    traffic(0, DAY_MINUTES)
    for (let at = 0; at < 50; at += 1) {
      await deploy(DAY_MINUTES + at * 20, `${String(at).padStart(7, '0')}f`)
      const times = every(1, DAY_MINUTES + at * 20 + 2, DAY_MINUTES + at * 20 + 8)
      await errors(times, KINDS[at % KINDS.length]!, { host: `h${at}` })
    }
    const asked: string[] = []
    const counted = () => {
      const memory = recordsInMemory(records)
      return new Proxy(memory.logs, {
        get: (target, name: keyof ProjectLogs) => {
          asked.push(name)
          return target[name]
        },
      })
    }
    const { deploys } = await reading(counted).listDeploys(caller(), { limit: 50 })
    expect(deploys).toHaveLength(50)
    const counts = Object.fromEntries(
      [...new Set(asked)].map((name) => [name, asked.filter((one) => one === name).length]),
    )
    expect(counts.serviceSpans).toBe(1)
    expect(asked.length).toBeLessThanOrEqual(16)
  })
})

describe('waiting for a verdict', () => {
  async function answers(
    input: { id: string; wait?: string },
    { keyKind = 'ingest' as const, onPause = () => {} } = {},
  ) {
    const pauses: number[] = []
    const pause = async (ms: number) => {
      pauses.push(ms)
      nowMinutes += ms / 60_000
      onPause()
    }
    const told: DeployVerdictAnswer[] = []
    const signal = new AbortController().signal
    for await (const one of reading(undefined, { pause }).deployVerdict(caller(keyKind), input, signal)) told.push(one)
    return { told, pauses, waited: pauses.reduce((sum, ms) => sum + ms, 0) / 60_000 }
  }

  it('ends as soon as it can be told', async () => {
    traffic(DAY_MINUTES / 2, DAY_MINUTES + 40)
    const { id } = await deploy(DAY_MINUTES, 'aaaaaaa1')
    nowMinutes = DAY_MINUTES + 2
    const { told, waited } = await answers({ id, wait: '30m' })
    expect(told[0]).toMatchObject({ verdict: 'too_early', checkAgainAt: '2026-01-21T00:30:00Z', deploy: { id } })
    expect(told.at(-1)?.verdict).toBe('good')
    expect(waited).toBeCloseTo(28, 0)
  })

  it('ends at the end of the wait, still too early, having judged it only once a minute', async () => {
    traffic(DAY_MINUTES / 2, DAY_MINUTES + 40)
    const { id } = await deploy(DAY_MINUTES, 'aaaaaaa1')
    nowMinutes = DAY_MINUTES + 1
    const { told, pauses, waited } = await answers({ id, wait: '10m' })
    expect(told.at(-1)?.verdict).toBe('too_early')
    expect(waited).toBeCloseTo(10, 5)
    expect(told.length).toBeLessThanOrEqual(11)
    expect(pauses.length).toBe(120)
    expect((await answers({ id })).told).toHaveLength(1)
  })

  it('ends when errors come, within seconds', async () => {
    traffic(DAY_MINUTES / 2, DAY_MINUTES + 40, { release: 'aaaaaaa1' })
    await deploy(DAY_MINUTES / 2, 'aaaaaaa1')
    const { id } = await deploy(DAY_MINUTES, 'bbbbbbb2')
    nowMinutes = DAY_MINUTES + 1
    let coming: Promise<void> | undefined
    const onPause = () => {
      if (nowMinutes >= DAY_MINUTES + 3) coming ??= errors(every(0.1, DAY_MINUTES + 1.5, DAY_MINUTES + 3), A)
    }
    const { told, waited } = await answers({ id, wait: '10m' }, { onPause })
    await coming
    expect(['bad', 'suspect']).toContain(told.at(-1)?.verdict)
    expect(waited).toBeLessThan(4)
  })

  it.each(['31m', 'soon', '-5m', '1d'])('refuses to wait for "%s" and says how long it may be', async (wait) => {
    const { id } = await deploy(DAY_MINUTES, 'aaaaaaa1')
    await expect(answers({ id, wait })).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'wait', message: expect.stringContaining('30m') }],
    })
  })

  it('finds the latest one once, so that it stays the same while somebody waits', async () => {
    traffic(DAY_MINUTES / 2, DAY_MINUTES + 40)
    const { id } = await deploy(DAY_MINUTES, 'aaaaaaa1')
    nowMinutes = DAY_MINUTES + 1
    let coming: Promise<unknown> | undefined
    const onPause = () => {
      coming ??= deploy(DAY_MINUTES + 1, 'bbbbbbb2')
    }
    const { told } = await answers({ id: 'latest', wait: '3m' }, { onPause })
    await coming
    expect(new Set(told.map(({ deploy: { id } }) => id))).toEqual(new Set([id]))
  })

  it('is also for a read key, and for nobody without a project', async () => {
    const { id } = await deploy(DAY_MINUTES, 'aaaaaaa1')
    expect((await answers({ id }, { keyKind: 'read' as never })).told).toHaveLength(1)
    const asked = reading().deployVerdict({ kind: 'operator' }, { id }, new AbortController().signal)
    await expect(asked.next()).rejects.toMatchObject({ code: 'forbidden' })
  })
})
