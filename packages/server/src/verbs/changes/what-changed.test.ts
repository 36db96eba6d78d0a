/** What changed, over a real control store and records in memory. */
import type { ChangesInput } from '@tidemark/wire/reading/changes'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toBigInt } from '../../analysis/pattern/hash.ts'
import { patternId } from '../../analysis/pattern/pattern.ts'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { StoredRecord } from '../../logstore/questions.ts'
import { sampleRecord } from '../../logstore/testing/segment.ts'
import type { Caller } from '../../model/caller.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { repositoryWith } from '../../testing/connected-repository.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import { openReading } from '../open-reading.ts'

const MINUTE_US = 60_000_000
const HOURS = 60
const START_US = Date.UTC(2026, 0, 20) * 1_000
/** The moment, in minutes: three days after the start. */
const AT = 72 * HOURS
/** Records go on for as long after it as is looked at. */
const END = AT + 31
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
  project = await newProject()
  records = []
})

async function newProject(): Promise<ProjectWithSettings> {
  made += 1
  const { id } = await control.projects.create({ name: `p${made}`, retentionDays: 30 }, { by: 'operator', nowMs: 0 })
  return (await control.projects.get(id))!
}

const usOf = (minutes: number) => START_US + Math.round(minutes * MINUTE_US)
const timeOf = (minutes: number) => formatRfc3339(usOf(minutes))

async function deploy(atMinutes: number, sha: string, some: Partial<Deploy> = {}): Promise<Deploy> {
  const input = { sha, environment: 'production', deployedAtUs: usOf(atMinutes), ...some }
  return (await control.deploys.record(project.id, input, usOf(atMinutes) / 1_000)).deploy
}

function log(atMinutes: number, some: Partial<StoredRecord> = {}): void {
  const message = some.message ?? 'request served'
  records.push({
    ...sampleRecord(),
    id: `log_${records.length}`,
    timeUs: usOf(atMinutes),
    fingerprint: null,
    receivedMs: 0,
    level: 'info',
    environment: 'production',
    service: 'web',
    host: 'web-1',
    release: 'aaaaaaa1',
    error: null,
    attributes: new Map(),
    message,
    pattern: toBigInt(patternId(message)).toString(16).padStart(16, '0'),
    ...some,
  })
}

function traffic(fromMinutes: number, toMinutes: number, some: Partial<StoredRecord> = {}): void {
  for (let at = fromMinutes; at < toMinutes; at += 2) log(at, some)
}

const COMMIT = 'c0ffee1'.repeat(6).slice(0, 40)
const FINGERPRINT = 'a'.repeat(16)

/** Every other minute. Returns the id of their analysis. */
async function errors(fromMinutes: number, toMinutes: number, some: Partial<StoredRecord> = {}): Promise<string> {
  for (let at = fromMinutes; at < toMinutes; at += 2) {
    log(at, { level: 'error', fingerprint: FINGERPRINT, message: 'No price found', ...some })
    const where = { environment: 'production', service: some.service ?? 'web' }
    const group = errorGroup(project.id, { ...where, fingerprint: FINGERPRINT, atUs: usOf(at) })
    await control.analyses.record([{ segmentId: `seg_${made}_${at}`, groups: [group] }], usOf(at) / 1_000)
  }
  const [analysis] = await control.analyses.list(project.id, { sort: 'lastSeen', limit: 1 }, usOf(toMinutes))
  return analysis!.id
}

function reading(more: object = {}, nowMinutes = AT + 2 * HOURS) {
  const sorted = records.toSorted((a, b) => a.timeUs - b.timeUs)
  return openReading({
    control,
    logStore: { project: () => recordsInMemory(sorted).logs },
    secretKey: 'secret',
    publicUrl: 'https://logs.example',
    now: () => usOf(nowMinutes) / 1_000,
    ...more,
  })
}
const caller = (keyKind: 'read' | 'ingest' = 'read'): Caller => ({ kind: 'key', keyId: 'key_1', keyKind, project })
const ask = (input: ChangesInput = {}, more: object = {}) =>
  reading(more).whatChanged(caller(), { at: timeOf(AT), environment: 'production', ...input })
const told = async (input: ChangesInput = {}, more: object = {}) => (await ask(input, more)).changes
const of = (changes: Awaited<ReturnType<typeof told>>, kind: string) => changes.filter((one) => one.kind === kind)

describe('before a moment', () => {
  it('a deploy that is to blame comes first, with its verdict, its ids and the time in between', async () => {
    traffic(0, END)
    await deploy(AT - 20 * HOURS, 'aaaaaaa1')
    const bad = await deploy(AT - 10, 'bbbbbbb2')
    await errors(AT, AT + 60, { release: 'bbbbbbb2' })
    const [first, ...others] = await told()
    expect(first).toMatchObject({
      kind: 'deploy',
      deployId: bad.id,
      sha: 'bbbbbbb2',
      status: 'succeeded',
      environment: 'production',
      elapsedSeconds: 600,
      timestamp: timeOf(AT - 10),
      role: null,
    })
    expect(['bad', 'suspect']).toContain(first?.verdict)
    expect(first?.reason).toMatch(/ began 10 min after it, and it is the likely cause\.$/)
    expect(others.every(({ score }) => score < (first?.score ?? 0))).toBe(true)
    expect(of(others, 'deploy')).toMatchObject([{ sha: 'aaaaaaa1' }])
  })

  it('deploys of every status are told, a rollback by that name, and those of names that look alike', async () => {
    traffic(0, END)
    await deploy(AT - 30 * HOURS, 'aaaaaaa1')
    await deploy(AT - 20 * HOURS, 'bbbbbbb2')
    await deploy(AT - 19 * HOURS, 'aaaaaaa1')
    await deploy(AT - 18 * HOURS, 'ccccccc3', { status: 'failed' })
    await deploy(AT - 17 * HOURS, 'ddddddd4', { environment: 'prod' })
    await deploy(AT - 16 * HOURS, 'eeeeeee5', { environment: 'staging' })
    await deploy(AT + 1, 'fffffff6')
    const deploys = of(await told(), 'deploy').sort((a, b) => b.elapsedSeconds - a.elapsedSeconds)
    expect(deploys.map(({ title }) => title)).toEqual([
      'Deploy of bbbbbbb2 to production',
      'Rollback to aaaaaaa1 to production',
      'Deploy of ccccccc3 to production',
      'Deploy of ddddddd4 to prod',
    ])
    expect(deploys[2]).toMatchObject({ status: 'failed', verdict: null, reason: expect.stringContaining('failed') })
    expect(deploys[3]?.reason).toContain('looks like')
    const details = await Promise.all(deploys.map((one) => reading().getDeploy(caller(), { id: one.deployId! })))
    expect(details.map((one) => one.isRollback)).toEqual([false, true, false, false])
  })

  it('all environments are looked at when none is named', async () => {
    traffic(0, END)
    traffic(AT - 3 * HOURS, END, { environment: 'staging', service: 'mail' })
    await deploy(AT - 10, 'eeeeeee5', { environment: 'staging' })
    const answer = await ask({ environment: undefined })
    expect(answer.environment).toBeNull()
    expect(of(answer.changes, 'deploy')).toMatchObject([{ environment: 'staging' }])
    expect(of(answer.changes, 'service')).toMatchObject([{ title: 'mail in staging appeared', service: 'mail' }])
  })

  it('a setting that a service tells at its start is told with its values', async () => {
    traffic(0, END)
    for (const at of [100, 1_000, AT - 30 * HOURS]) log(at, { message: 'starting with pool_size=20' })
    log(AT - 12, { message: 'starting with pool_size=2' })
    const [first] = await told()
    expect(first).toMatchObject({
      kind: 'configuration',
      title: 'pool_size changed from 20 to 2 in web',
      ...{ name: 'pool_size', from: '20', to: '2', service: 'web', elapsedSeconds: 720 },
      reason: 'web told another value of pool_size than before, and no deploy went out with it.',
    })
  })

  it('a record that says itself what changed is told once, whatever its fields are called', async () => {
    traffic(0, END)
    const attributes = (before: number, after: number) =>
      new Map([
        ['before', before],
        ['after', after],
      ])
    const change = (at: number, from: number, to: number) =>
      log(at, { message: `config: timeout_ms changed from ${from} to ${to}`, attributes: attributes(from, to) })
    change(AT - 30 * HOURS, 200, 2_000)
    change(AT - 20, 2_000, 200)
    expect(of(await told(), 'configuration')).toMatchObject([{ name: 'timeout_ms', from: '2000', to: '200' }])
  })

  it('a setting in ordinary records is told from the first record that has it', async () => {
    traffic(0, AT - 5 * HOURS, { attributes: new Map([['db.pool', 20]]) })
    traffic(AT - 5 * HOURS, END, { attributes: new Map([['db.pool', 2]]) })
    expect(of(await told(), 'configuration')).toMatchObject([
      { name: 'db.pool', from: '20', to: '2', timestamp: timeOf(AT - 5 * HOURS) },
    ])
  })

  it('a release is told where no deploy of it was recorded, and a host that came, unless with a roll-out', async () => {
    traffic(0, AT - 3 * HOURS)
    traffic(AT - 3 * HOURS, END, { release: 'bbbbbbb2', host: 'web-2' })
    const changes = await told()
    expect(of(changes, 'version')).toMatchObject([
      { from: 'aaaaaaa1', to: 'bbbbbbb2', title: 'Release bbbbbbb2 appeared' },
    ])
    expect(
      of(changes, 'host')
        .map(({ title }) => title)
        .sort(),
    ).toEqual(['Host web-1 fell silent', 'Host web-2 appeared'])
    await deploy(AT - 3 * HOURS, 'bbbbbbb2')
    const deployed = await told()
    expect(of(deployed, 'version')).toEqual([])
    expect(of(deployed, 'host')).toEqual([])
  })

  it('messages that are new or gone are told with a query, those of errors as their analysis', async () => {
    traffic(0, END)
    traffic(0, AT - 4 * HOURS, { message: 'cache warmed' })
    traffic(AT - 2 * HOURS, END, { message: 'retrying the call', level: 'warn' })
    const analysisId = await errors(AT - 60, AT)
    const changes = await told()
    expect(
      of(changes, 'pattern')
        .map(({ title, query }) => [title, query !== null])
        .sort(),
    ).toEqual([
      ['Message gone: "cache warmed"', true],
      ['New message: "retrying the call"', true],
    ])
    expect(of(changes, 'errors')).toMatchObject([{ analysisId, elapsedSeconds: 3_600, service: expect.any(String) }])
  })

  it('services that fall silent and volumes that jump are told', async () => {
    traffic(0, END)
    traffic(0, AT - 60, { service: 'mail' })
    for (let times = 0; times < 6; times += 1) traffic(AT - 90, END, { service: 'cart' })
    traffic(0, END, { service: 'cart' })
    const changes = await told()
    expect(of(changes, 'service')).toMatchObject([
      {
        title: 'mail fell silent',
        query: 'service:mail',
        reason: '30 records in the hour before, and none in the 1 h 30 min since.',
      },
    ])
    expect(of(changes, 'volume')).toMatchObject([{ title: 'cart logged much more', service: 'cart' }])
  })

  it('the commit is told where a repository is connected and no deploy was recorded', async () => {
    traffic(0, END)
    const commit = {
      sha: COMMIT,
      committedAtUs: usOf(AT - 30),
      subject: 'Round once',
      author: 'Ada',
      branch: 'main',
    }
    const repository = repositoryWith(commit)
    expect(of(await told({}, { repository }), 'commit')).toMatchObject([
      { sha: COMMIT, title: 'Commit c0ffee1 on main: Round once', elapsedSeconds: 1_800 },
    ])
    expect(of(await told({ lookback: '10m' }, { repository }), 'commit')).toEqual([])
    await deploy(AT - 20, 'bbbbbbb2')
    expect(of(await told({}, { repository }), 'commit')).toEqual([])
  })

  it('nothing appeared where nothing was logged before', async () => {
    traffic(AT - 5 * HOURS, END)
    traffic(AT - 5 * HOURS, END, { service: 'mail', host: 'mail-1', release: '7' })
    expect((await told()).map(({ title }) => title)).toEqual([])
    traffic(AT - 2 * HOURS, END, { service: 'cart', host: 'cart-1', release: '9' })
    expect((await told()).map(({ title }) => title).sort()).toEqual([
      'Host cart-1 appeared',
      'Release 9 appeared',
      'cart appeared',
    ])
  })

  it('a deploy that was recorded after its errors began is told where it is to blame for them', async () => {
    traffic(0, END)
    await deploy(AT - 40 * HOURS, 'aaaaaaa1')
    await deploy(AT + 3, 'bbbbbbb2')
    traffic(AT - 1, END, { release: 'bbbbbbb2' })
    await errors(AT, END, { release: 'bbbbbbb2' })
    const deploys = of(await told(), 'deploy')
    expect(deploys).toMatchObject([{ sha: 'bbbbbbb2', elapsedSeconds: -180 }])
    expect(deploys[0]?.reason).toContain('before it was recorded')
  })

  it('nothing is said where nothing changed, and why', async () => {
    traffic(0, END)
    const { changes, empty, warnings } = await ask()
    expect(changes).toEqual([])
    expect(empty).toMatch(/^Nothing is known to have changed in the 24 h before/)
    expect(warnings).toEqual([])
    const wrong = await ask({ environment: 'prod' })
    expect(wrong.empty).toContain('Did you mean "production"?')
  })
})

describe('before an analysis', () => {
  it('its likely cause comes first, then what was weighed beside it, as the analysis itself says', async () => {
    traffic(0, END)
    await deploy(AT - 20 * HOURS, 'aaaaaaa1')
    const bad = await deploy(AT - 5, 'bbbbbbb2')
    const analysisId = await errors(AT, AT + 60, { release: 'bbbbbbb2' })
    const { likelyCause } = (await reading().getAnalysis(caller(), { id: analysisId })).analysis
    const answer = await reading().whatChanged(caller(), { analysisId })
    const { kind, title, deployId, confidence } = likelyCause
    expect(answer).toMatchObject({
      at: timeOf(AT),
      environment: 'production',
      likelyCause: { kind, title, deployId, confidence },
    })
    const [first, second] = answer.changes
    expect(first).toMatchObject({ role: 'cause', kind: 'deploy', deployId: bad.id, elapsedSeconds: 300, verdict: null })
    expect(first?.reason).toContain(
      `${confidence === 'low' ? 'A possible' : 'The likely'} cause, with ${confidence} confidence: ${likelyCause.evidenceFor[0]}`,
    )
    expect([second?.role, second?.title]).toEqual(['rival', likelyCause.rivals[0]?.title])
    expect(answer.changes.map(({ role }) => role)).toEqual([
      'cause',
      ...likelyCause.rivals.map(() => 'rival'),
      ...answer.changes.slice(1 + likelyCause.rivals.length).map(() => null),
    ])
    expect(answer.changes.some((one) => one.analysisId === analysisId)).toBe(false)
  })

  it('a cause that nobody deployed comes first too', async () => {
    traffic(0, END)
    await deploy(AT - 20 * HOURS, 'aaaaaaa1')
    for (const at of [100, 1_000, AT - 30 * HOURS])
      log(at, { message: 'starting with pool_size=20', service: 'checkout' })
    log(AT - 3, { message: 'starting with pool_size=2', service: 'checkout' })
    const analysisId = await errors(AT, AT + 60, { service: 'checkout' })
    const { changes, likelyCause } = await reading().whatChanged(caller(), { analysisId })
    expect(likelyCause?.kind).toBe('configuration')
    expect(changes[0]).toMatchObject({ role: 'cause', kind: 'configuration', name: 'pool_size', from: '20', to: '2' })
    expect(of(changes, 'configuration')).toHaveLength(1)
  })
})

describe('a question that cannot be answered as it is', () => {
  const fault = async (input: ChangesInput) => {
    const refused = await reading()
      .whatChanged(caller(), input)
      .catch((error) => error)
    expect(refused).toBeInstanceOf(AppError)
    return [refused.code, refused.details?.fields?.[0]?.path ?? refused.fields?.[0]?.path, refused.message]
  }

  it('is refused with what to do', async () => {
    traffic(0, END)
    const analysisId = await errors(AT - 60, AT)
    const both = await fault({ at: '-1h', analysisId })
    expect(both).toEqual(['invalid_request', 'at', 'at and analysisId both say when: leave one of them out.'])
    for (const lookback of ['0', '0s', '30s', '8d', 'a day', '-1h', '1h ']) {
      expect(await fault({ lookback })).toEqual([
        'invalid_request',
        'lookback',
        'lookback must be a duration from 1m to 7d, such as 24h or 90m.',
      ])
    }
    expect((await fault({ at: 'soon' })).slice(0, 2)).toEqual(['invalid_request', 'at'])
    expect((await fault({ at: 'deploy:dep_none' })).slice(0, 2)).toEqual(['invalid_request', 'at'])
    expect((await fault({ analysisId: 'ana_none' })).slice(0, 2)).toEqual(['not_found', 'analysisId'])
    expect((await fault({ analysisId, environment: 'staging' })).slice(0, 2)).toEqual([
      'invalid_request',
      'environment',
    ])
  })

  it('is answered for now when it is about the future, with a note', async () => {
    traffic(0, END)
    const answer = await ask({ at: timeOf(AT + 900 * HOURS) })
    expect(answer.at).toBe(timeOf(AT + 2 * HOURS))
    expect(answer.warnings.map(({ message }) => message)).toEqual([
      'at lies in the future, so this is what changed before now.',
    ])
  })

  it('is answered from deploys alone before retention, with a note', async () => {
    const old = await deploy(-40 * 24 * HOURS, 'aaaaaaa1')
    const answer = await ask({ at: timeOf(-40 * 24 * HOURS + 5) })
    expect(answer.changes).toMatchObject([{ kind: 'deploy', deployId: old.id }])
    expect(answer.warnings[0]?.message).toBe(
      'Records are kept for 30 days, so of this time only deploys, commits and analyses are known.',
    )
  })

  it('says so when there is nothing to compare the records with', async () => {
    traffic(0, END)
    const answer = await reading({}, AT + 29 * 24 * HOURS + 20 * HOURS).whatChanged(caller(), { at: timeOf(AT) })
    expect(answer.warnings).toEqual([{ message: expect.stringContaining('nothing to compare') }])
  })
})

describe('while the log store is away', () => {
  const logs = new Proxy({} as ProjectLogs, {
    get: () => async () => {
      throw new AppError('engine_restarting', 'The log engine is restarting: try again.')
    },
  })
  const away = { logStore: { project: () => logs } }

  it('deploys and analyses are told all the same, with one warning', async () => {
    const one = await deploy(AT - 10, 'bbbbbbb2')
    const analysisId = await errors(AT - 8, AT)
    const byMoment = await ask({}, away)
    expect(byMoment.changes.map(({ kind }) => kind).sort()).toEqual(['deploy', 'errors'])
    expect(byMoment.warnings).toEqual([{ message: expect.stringContaining('did not answer') }])
    const byAnalysis = await reading(away).whatChanged(caller(), { analysisId })
    expect(byAnalysis.changes).toMatchObject([{ deployId: one.id }])
    expect(byAnalysis.warnings).toEqual([{ message: expect.stringContaining('did not answer') }])
  })
})

describe('another project', () => {
  it('cannot be asked about: neither its deploys nor its analyses nor with a key for sending', async () => {
    const theirs = await deploy(AT - 10, 'bbbbbbb2')
    const analysisId = await errors(AT - 8, AT)
    project = await newProject()
    records = []
    expect(await told()).toEqual([])
    await expect(reading().whatChanged(caller(), { analysisId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(reading().whatChanged(caller(), { at: `deploy:${theirs.id}` })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    await expect(reading().whatChanged(caller('ingest'), {})).rejects.toMatchObject({ code: 'forbidden' })
  })
})

it('asks the log store a few questions, however many services and deploys there are', async () => {
  traffic(0, END)
  for (let nth = 0; nth < 6; nth += 1) {
    for (let at = AT - 26 * HOURS; at < END; at += 60) log(at, { service: `s${nth}` })
    await deploy(AT - nth * 30, `${nth}`.padStart(8, 'a'))
  }
  const analysisId = await errors(AT - 60, AT)
  const counted = async (input: ChangesInput) => {
    const sorted = records.toSorted((a, b) => a.timeUs - b.timeUs)
    const { logs, asked } = recordsInMemory(sorted)
    await reading({ logStore: { project: () => logs } }).whatChanged(caller(), input)
    return asked.length
  }
  expect(await counted({ at: timeOf(AT), environment: 'production' })).toBeLessThanOrEqual(24)
  expect(await counted({ analysisId })).toBeLessThanOrEqual(24)
})
