/** Over a real control store and records in memory. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fingerprintId } from '../../analysis/group/fingerprint.ts'
import { toHex } from '../../analysis/pattern/hash.ts'
import { patternId } from '../../analysis/pattern/pattern.ts'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { LogStore } from '../../logstore/log-store.ts'
import type { StoredRecord } from '../../logstore/questions.ts'
import { logId } from '../../logstore/schema/log-id.ts'
import { sampleRecord } from '../../logstore/testing/segment.ts'
import type { Caller } from '../../model/caller.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { repositoryWith } from '../../testing/connected-repository.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import { openReading } from '../open-reading.ts'

const NOW_US = Date.UTC(2026, 0, 20, 12) * 1_000
const MINUTE_US = 60_000_000
const SHA = '4f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39'
const COMMIT = 'c0ffee1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const RUN = 'https://ci.example/shop/runs/77'
const STACK = `TypeError: total is undefined
    at charge (/app/src/pay.ts:42:7)
    at /app/node_modules/express/lib/router.js:3:1`

const backend = controlBackends()[0]!
let control: Control
let project: ProjectWithSettings
let other: ProjectWithSettings
let records: StoredRecord[]
let ids: { record: string; analysis: string; python: string; deploy: string; rolled: string }

beforeAll(async () => {
  control = await backend.open()
  project = await newProject('shop')
  other = await newProject('bank')
  const error = { type: 'TypeError', message: 'total is undefined', stack: STACK }
  const fingerprint = toHex(fingerprintId({ level: 'error', message: '', service: '', logger: '', error })!)
  records = [
    stored(1, { level: 'error', message: 'payment of cart 7 failed', error, fingerprint, traceId: TRACE }),
    stored(2, { message: 'cart 7 opened', traceId: TRACE }),
    stored(3, { message: 'cart 8 opened', traceId: 'other' }),
  ]
  const group = {
    fingerprint,
    title: 'TypeError: total is undefined in charge',
    where: 'charge (src/pay.ts)',
    environment: 'production',
    sample: { logId: records[0]!.id, message: 'payment of cart 7 failed', error, environmentDefaulted: false },
  }
  const python = 'Traceback (most recent call last):\n  File "/srv/app/jobs/mail.py", line 12, in deliver\nKeyError: 1'
  await control.analyses.record(
    [
      {
        segmentId: 'seg_1',
        groups: [
          errorGroup(project.id, { ...group, atUs: NOW_US - MINUTE_US }),
          errorGroup(project.id, {
            fingerprint: '00000000000000bb',
            title: 'KeyError: 1 in deliver',
            atUs: NOW_US - 2 * MINUTE_US,
            sample: {
              ...{ logId: 'log_2', message: 'mail failed', environmentDefaulted: false },
              error: { type: 'KeyError', message: '1', stack: python },
            },
          }),
        ],
      },
    ],
    NOW_US / 1_000,
  )
  const analyses = await control.analyses.list(project.id, { sort: 'firstSeen', limit: 9 }, NOW_US)
  const deploy = { sha: SHA, environment: 'production', externalId: 'run 77', url: RUN, message: 'Round prices' }
  const before = NOW_US - 5 * MINUTE_US
  const made = await control.deploys.record(project.id, { ...deploy, deployedAtUs: before }, NOW_US / 1_000)
  const rolled = { sha: SHA, environment: 'staging', deployedAtUs: before - MINUTE_US }
  const again = await control.deploys.record(project.id, rolled, NOW_US / 1_000)
  ids = {
    ...{ record: records[0]!.id, analysis: analyses[0]!.id, python: analyses[1]!.id },
    ...{ deploy: made.deploy.id, rolled: again.deploy.id },
  }
})
afterAll(() => backend.close())

describe('a pasted address', () => {
  const of = (path: string) => `https://logs.example/projects/${project.id}${path}`

  it.each([
    ['/overview', { name: 'overview', from: '-24h' }],
    ['', { name: 'overview', from: '-24h' }],
    [
      '/logs?query=level%3Aerror+cart&environment=production&from=-2h',
      { name: 'logs', query: 'level:error cart', environment: 'production', from: '-2h' },
    ],
    ['/logs', { name: 'logs', from: '-1h' }],
    ['/logs?view=patterns&compare=off', { name: 'patterns', from: '-1h', compare: 'off' }],
    ['/logs?order=oldest', { name: 'logs', from: '-1h', order: 'oldest' }],
    ['/logs?query=traceId%3Aa&view=trace', { name: 'logs', from: '-1h', query: 'traceId:a', order: 'oldest' }],
    [
      '/logs?view=groups&group=http.route&measure=p95&of=took',
      { name: 'groups', from: '-1h', group: 'http.route', measure: 'p95', of: 'took' },
    ],
    ['/analyses?state=new&sort=count', { name: 'analyses', from: '-7d', state: 'new', sort: 'count' }],
    ['/deploys?status=failed&to=-1d', { name: 'deploys', from: '-30d', status: 'failed', to: '-1d' }],
    ['/settings/keys', { name: 'settings' }],
  ])('of %s is the question that the page asks', async (path, page) => {
    expect(await ask(of(path))).toMatchObject({ readAs: 'page', page, found: [], warnings: [] })
  })

  it('of one thing is that thing', async () => {
    expect(await ask(of(`/analyses/${ids.analysis}`))).toMatchObject({
      page: { name: 'analysis' },
      found: [{ kind: 'analysis', id: ids.analysis, title: 'TypeError: total is undefined in charge', count: 1 }],
    })
    expect(await ask(of(`/deploys/${ids.deploy}`))).toMatchObject({ found: [{ kind: 'deploy', id: ids.deploy }] })
    expect(await ask(of(`/logs?record=${ids.record}&from=-2h`))).toMatchObject({
      page: { name: 'logs', from: '-2h' },
      found: [{ kind: 'record', id: ids.record, analysisId: ids.analysis }],
    })
    expect(await ask(of('/analyses/ana_0123456789abcdef0123456789abcdef'))).toMatchObject({
      page: { name: 'analysis' },
      found: [],
      explanation: expect.stringContaining('nothing with that id'),
    })
  })

  it('may be reached by another name, stand in brackets, in Markdown, or without a host', async () => {
    const path = `/projects/${project.id}/deploys/${ids.deploy}`
    for (const ref of [
      `http://10.0.0.7:8080${path}`,
      `<https://logs.example${path}>`,
      `[it](https://logs.example${path})`,
      path,
    ]) {
      expect((await ask(ref)).found, ref).toMatchObject([{ id: ids.deploy }])
    }
  })

  it('says what of it means nothing here, and leaves that out', async () => {
    const search = `query=${encodeURIComponent('level:(')}&from=whenever&environment=${'e'.repeat(300)}&to=%00`
    const answer = await ask(of(`/logs?${search}`))
    expect(answer.page).toEqual({ name: 'logs', from: '-1h' })
    expect(answer.warnings).toEqual([
      { message: 'Left out of the address, for it means nothing here: environment, from, to, query.' },
    ])
    const analyses = await ask(of(`/analyses?introducedBy=dep_none&state=bad`))
    expect(analyses.page).toEqual({ name: 'analyses' })
    expect((await ask(of(`/analyses?introducedBy=${ids.deploy}`))).page).toEqual({
      name: 'analyses',
      introducedBy: ids.deploy,
    })
    expect((await ask(of('/nothing'))).page).toBe(null)
  })

  it('of another project tells nothing of it, not even whether it exists', async () => {
    const answers = await Promise.all(
      [other.id, 'prj_01940000-0000-7000-8000-000000000000', 'x'].map((id) =>
        ask(`https://logs.example/projects/${id}/analyses/${ids.analysis}`),
      ),
    )
    expect(answers[0]).toMatchObject({ readAs: 'otherProject', page: null, found: [] })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(await ask(other.id)).toEqual(answers[0])
  })

  it('of another host is said to be so, unless it is the run or the commit of a deploy', async () => {
    expect(await ask('https://evil.example/projects/prj_x/logs')).toMatchObject({ readAs: 'elsewhere', found: [] })
    expect((await ask(RUN)).found).toMatchObject([{ kind: 'deploy', id: ids.deploy }])
    expect((await ask(`https://github.example/acme/shop/commit/${SHA}`)).found.map(({ id }) => id)).toEqual([
      ids.deploy,
      ids.rolled,
    ])
  })

  it('of this service that is no page is said to be so', async () => {
    expect(await ask('https://logs.example/account')).toMatchObject({ readAs: 'page', page: null, found: [] })
  })
})

describe('an id', () => {
  it('is found anywhere in what was pasted, in either case', async () => {
    expect((await ask(ids.record)).found).toMatchObject([{ kind: 'record', title: 'payment of cart 7 failed' }])
    expect((await ask(`see tidemark://analysis/${ids.analysis.toUpperCase()} please`)).found).toMatchObject([
      { id: ids.analysis, state: 'new' },
    ])
    const both = await ask(`${ids.deploy} or ${ids.analysis}`)
    expect(both.found.map(({ kind }) => kind)).toEqual(['deploy', 'analysis'])
  })

  it('of another project is not found, with the words for one that never was', async () => {
    const theirs = { kind: 'key', keyId: 'key_2', keyKind: 'read', project: other } as const
    const unknown = await ask('dep_01940000-0000-7000-8000-000000000000', theirs)
    for (const id of [ids.deploy, ids.analysis]) expect(await ask(id, theirs)).toEqual(unknown)
    expect(unknown).toMatchObject({ readAs: 'id', found: [] })
  })

  it('of the own project leads to its overview', async () => {
    expect((await ask(project.id)).page).toEqual({ name: 'overview' })
  })
})

describe('a name', () => {
  it.each([SHA, SHA.slice(0, 7), SHA.slice(0, 12).toUpperCase()])('%s is the deploys of that revision', async (ref) => {
    const answer = await ask(ref)
    expect(answer.found.map(({ id }) => id)).toEqual([ids.deploy, ids.rolled])
    expect(answer.explanation).toBe('This may mean 2 deploys: each has this name.')
  })

  it('is a commit of the repository, with the first deploy that has it', async () => {
    const commit = { sha: COMMIT, committedAtUs: NOW_US - 9 * MINUTE_US, subject: 'Fix', author: 'Ada', branch: 'main' }
    const repository = repositoryWith(commit)
    const found = (await ask(COMMIT, caller(), { repository })).found
    expect(found).toMatchObject([{ kind: 'commit', id: COMMIT, title: 'Fix', author: 'Ada' }])
    const mirrorOf = async () => {
      const answer = await repository.mirrorOf(project.id)
      if (answer.state !== 'ready') return answer
      const compare = async () => ({ relation: 'forward' as const, ahead: 1, behind: 0 })
      return { state: 'ready' as const, mirror: { ...answer.mirror, compare } }
    }
    const deployed = await ask(COMMIT, caller(), { repository: { ...repository, mirrorOf } })
    expect(deployed.found).toMatchObject([{ kind: 'deploy', id: ids.rolled }, { kind: 'commit' }])
  })

  it('is the external id of a deploy', async () => {
    expect((await ask('run 77')).found).toMatchObject([{ kind: 'deploy', id: ids.deploy }])
  })

  it.each([TRACE, `00-${TRACE}-00f067aa0ba902b7-01`])('%s is a trace', async (ref) => {
    expect((await ask(ref)).found).toMatchObject([
      { kind: 'trace', id: TRACE, count: 2, analysisId: ids.analysis, query: `traceId:${TRACE}` },
    ])
  })

  it('is the hash of a pattern or of a kind of error', async () => {
    const [first] = records
    expect((await ask(first!.pattern)).found).toMatchObject([{ kind: 'pattern', count: 1 }])
    expect((await ask(first!.fingerprint!)).found).toMatchObject([{ kind: 'analysis', id: ids.analysis }])
  })
})

describe('a place in the code', () => {
  it.each([
    'src/pay.ts:42',
    'pay.ts:42:7',
    'at charge (src/pay.ts:42:7)',
    '    at async charge (/home/me/shop/src/pay.ts:42:7)',
    'C:\\shop\\src\\pay.ts:42',
  ])('%s finds the errors with it in their stack', async (ref) => {
    expect(await ask(ref)).toMatchObject({ readAs: 'frame', found: [{ kind: 'analysis', id: ids.analysis }] })
  })

  it('is read in the form of its language', async () => {
    expect((await ask('File "/srv/app/jobs/mail.py", line 12, in deliver')).found).toMatchObject([{ id: ids.python }])
    expect((await ask('jobs/mail.py:12')).found).toMatchObject([{ id: ids.python }])
  })

  it('whose line is another finds those with the file', async () => {
    expect((await ask('src/pay.ts:99')).found).toMatchObject([{ id: ids.analysis }])
  })

  it('that nobody has is searched for', async () => {
    expect(await ask('src/basket.ts:1')).toMatchObject({ readAs: 'frame', found: [], query: '"src/basket.ts:1"' })
  })
})

describe('an error or a line', () => {
  it('with a stack is the analysis of that stack, wherever it ran', async () => {
    const elsewhere = STACK.replaceAll('/app', '/home/me/shop').replace('42:7', '57:3').replace('total', 'sum')
    expect(await ask(elsewhere)).toMatchObject({ readAs: 'stack', found: [{ id: ids.analysis }] })
  })

  it.each(['TypeError: total is undefined in charge', 'TYPEERROR: total is undefined'])(
    'with the title %s is the analysis',
    async (ref) => {
      expect(await ask(ref)).toMatchObject({ readAs: 'text', found: [{ kind: 'analysis', id: ids.analysis }] })
    },
  )

  it.each([
    'payment of cart 93121 failed',
    '2026-01-20 11:59:00,123 ERROR [checkout] payment of cart 93121 failed',
    '{"level":"error","msg":"payment of cart 93121 failed"}',
    '2026-01-20T11:59:00.000Z error checkout production | payment of cart 93121 failed {cart=9} trace=abc',
  ])('such as %s is the message, whatever varies in it, and its analysis', async (ref) => {
    expect((await ask(ref)).found).toMatchObject([
      { kind: 'analysis', id: ids.analysis },
      { kind: 'pattern', count: 1, title: 'payment of cart 7 failed' },
    ])
  })

  it('that is part of a message is searched for', async () => {
    const { found } = await ask('8 opened')
    expect(found).toMatchObject([{ kind: 'text', count: 1, query: '"8 opened"', title: 'cart 8 opened' }])
  })

  it('that nobody has is said to be so', async () => {
    expect(await ask('nothing at all')).toEqual({
      readAs: 'text',
      page: null,
      found: [],
      query: '"nothing at all"',
      explanation: 'No analysis has these words, and no record of the last 7 days says this.',
      warnings: [],
    })
  })

  it('is answered from what is known while the log store is away, which is said', async () => {
    const away = async () => {
      throw new AppError('unavailable', 'The log store does not answer.')
    }
    const logs = new Proxy({}, { get: () => away })
    const logStore = { project: () => logs } as unknown as Pick<LogStore, 'project'>
    expect(await ask(TRACE, caller(), { logStore })).toMatchObject({ found: [], warnings: [{}] })
    expect(await ask(SHA, caller(), { logStore })).toMatchObject({ found: [{}, {}], warnings: [] })
    await expect(ask(ids.record, caller(), { logStore })).rejects.toMatchObject({ code: 'unavailable' })
  })
})

it('that is empty, or cannot be looked for, is refused with what to give', async () => {
  for (const ref of ['', '  ', 'a\u0000b']) {
    await expect(ask(ref)).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path: 'ref' }] })
  }
})

it('takes long and strange texts without trouble', async () => {
  for (const ref of [
    '('.repeat(8_000),
    'a.'.repeat(4_000),
    'at '.repeat(2_000),
    '{'.repeat(8_000),
    `${'\n'.repeat(100)}.`,
  ]) {
    expect((await ask(ref)).found).toEqual([])
  }
})

function caller(): Caller {
  return { kind: 'key', keyId: 'key_1', keyKind: 'read', project }
}

function ask(ref: string, by = caller(), change: Partial<Parameters<typeof openReading>[0]> = {}) {
  const own = (id: string) => (id === project.id ? records : [])
  const parts = {
    control,
    logStore: { project: (id: string) => recordsInMemory(own(id)).logs },
    secretKey: 'secret',
    publicUrl: 'https://logs.example',
    now: () => NOW_US / 1_000,
    ...change,
  }
  return openReading(parts).resolveLink(by, { ref })
}

async function newProject(name: string): Promise<ProjectWithSettings> {
  const { id } = await control.projects.create({ name, retentionDays: 30 }, { by: 'operator', nowMs: 0 })
  return (await control.projects.get(id))!
}

function stored(ago: number, change: Partial<StoredRecord>): StoredRecord {
  const timeUs = NOW_US - ago * MINUTE_US
  const record = { ...sampleRecord({ timeUs, error: null }), level: 'info' as const, service: 'checkout', ...change }
  return {
    ...record,
    environment: 'production',
    id: logId({ timeUs, sequence: { hi: 0, lo: ago } }),
    pattern: toHex(patternId(record.message)),
    fingerprint: change.fingerprint ?? null,
    receivedMs: 0,
  }
}
