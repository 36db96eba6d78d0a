import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Deploy, DeployInput } from '../model/deploy.ts'
import type { ProjectId } from '../model/project.ts'
import { controlBackends, untilAvailable } from '../testing/control.ts'
import type { Control } from './open.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const NOW_US = NOW * 1_000
const change = { by: 'operator', nowMs: NOW }

describe.each(controlBackends())('deploys on $name', (backend) => {
  let control: Control
  let other: Control
  let names = 0
  let projectId: ProjectId
  const record = (input: Partial<DeployInput> = {}, nowMs = NOW) =>
    control.deploys.record(projectId, { sha: 'abc', environment: 'production', deployedAtUs: NOW_US, ...input }, nowMs)

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    control = await backend.open()
    other = await backend.open()
  })
  beforeEach(async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    names += 1
    projectId = (await control.projects.create({ name: `Project ${names}`, retentionDays: 30 }, change)).id
  })
  afterAll(() => backend.close())

  it('come back as they were recorded, to the microsecond', async () => {
    const { created, deploy } = await record({ deployedAtUs: NOW_US + 123_457, metadata: { run: 1 }, ref: 'main' })
    expect(created).toBe(true)
    expect(deploy).toEqual({
      id: expect.stringMatching(/^dep_[0-9a-f-]{36}$/),
      projectId,
      sha: 'abc',
      environment: 'production',
      deployedAtUs: NOW_US + 123_457,
      status: 'succeeded',
      ref: 'main',
      message: null,
      author: null,
      externalId: null,
      url: null,
      metadata: { run: 1 },
      createdAt: '2026-11-15T12:00:00.000Z',
      updatedAt: '2026-11-15T12:00:00.000Z',
    })
    expect(await other.deploys.get(projectId, deploy.id)).toEqual(deploy)
  })

  it('are found by what somebody may call them', async () => {
    const hash = '4F2A9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39'
    const url = 'https://ci.example/run/7'
    const whole = (await record({ sha: hash, externalId: 'run 7', url })).deploy
    const short = (await record({ sha: '4f2a9c1', deployedAtUs: NOW_US + 1 })).deploy
    const named = (await record({ sha: 'v1.4%', deployedAtUs: NOW_US + 2 })).deploy
    const idsOf = async (text: string, limit = 10) =>
      (await control.deploys.named(projectId, text, limit)).map(({ id }) => id)
    expect(await idsOf('4f2a9c1')).toEqual([short.id, whole.id])
    expect(await idsOf('4f2a9c1', 1)).toEqual([short.id])
    expect(await idsOf(hash.toLowerCase())).toEqual([short.id, whole.id])
    expect(await idsOf('4f2a9c1d8')).toEqual([short.id, whole.id])
    expect(await idsOf('4f2a9c1e8')).toEqual([short.id])
    const listed = await control.deploys.list(projectId, { sha: '4f2a9c1', limit: 10 })
    expect(listed.map(({ id }) => id)).toEqual([short.id, whole.id])
    for (const text of ['run 7', url]) expect(await idsOf(text)).toEqual([whole.id])
    expect(await idsOf('v1.4%')).toEqual([named.id])
    for (const text of ['4f2a9c', 'v1.4', '%', '', 'run']) expect(await idsOf(text), text).toEqual([])
    const { id } = await control.projects.create({ name: `Beside ${names}`, retentionDays: 30 }, change)
    expect(await control.deploys.named(id, '4f2a9c1', 10)).toEqual([])
  })

  it('without an external id are new each time', async () => {
    const all = [await record(), await record(), await record({ externalId: null })]
    expect(all.map(({ created }) => created)).toEqual([true, true, true])
    expect(await control.deploys.list(projectId, { limit: 10 })).toHaveLength(3)
  })

  it('with one external id recorded 20 times at once on two nodes are one, created once', async () => {
    const input = { sha: 'abc', environment: 'production', deployedAtUs: NOW_US, externalId: 'run-1' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        untilAvailable(() => (i % 2 ? control : other).deploys.record(projectId, input, NOW + i)),
      ),
    )
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(answers.map(({ deploy }) => deploy.id)).size).toBe(1)
    expect(await control.deploys.list(projectId, { limit: 100 })).toHaveLength(1)
  })

  it('that must not undo a later one never do, in any order or at once on two nodes', async () => {
    const at = (second: number) => ({
      sha: `v${second}`,
      environment: 'production',
      deployedAtUs: NOW_US + second * 1_000_000,
      externalId: 'run-1',
    })
    const seconds = [3, 9, 1, 7, 5, 9, 0, 8, 2, 6]
    const answers = await Promise.all(
      seconds.map((second, i) =>
        untilAvailable(() => (i % 2 ? control : other).deploys.recordUnlessLater(projectId, at(second), NOW)),
      ),
    )
    expect(answers.filter((answer) => answer?.created)).toHaveLength(1)
    expect(await control.deploys.list(projectId, { limit: 10 })).toMatchObject([{ sha: 'v9' }])
    expect(await control.deploys.recordUnlessLater(projectId, at(8), NOW)).toBeNull()
    expect(await control.deploys.recordUnlessLater(projectId, at(9), NOW)).toMatchObject({ created: false })
  })

  it('are updated by external id: omitted fields stay, null clears, status falls back to succeeded', async () => {
    const full = { ref: 'main', message: 'm', author: 'a', url: 'https://x.test', metadata: { a: 1 } }
    const first = await record({ externalId: 'run', status: 'failed', ...full })
    const second = await record(
      {
        externalId: 'run',
        sha: 'def',
        environment: 'staging',
        deployedAtUs: 5,
        ref: null,
        metadata: null,
        author: 'b',
      },
      NOW + 1_000,
    )
    expect(second).toEqual({
      created: false,
      deploy: {
        ...first.deploy,
        sha: 'def',
        environment: 'staging',
        deployedAtUs: 5,
        status: 'succeeded',
        ref: null,
        metadata: null,
        author: 'b',
        updatedAt: '2026-11-15T12:00:01.000Z',
      },
    })
  })

  it('of two projects may share an external id and cannot be read from the other', async () => {
    const mine = await record({ externalId: 'shared' })
    const stranger = (await control.projects.create({ name: `Stranger ${names}`, retentionDays: 30 }, change)).id
    const theirs = await control.deploys.record(
      stranger,
      { sha: 'zzz', environment: 'production', deployedAtUs: NOW_US, externalId: 'shared' },
      NOW,
    )
    expect([mine.created, theirs.created]).toEqual([true, true])
    expect(await control.deploys.get(stranger, mine.deploy.id)).toBeNull()
    expect(await control.deploys.latestSucceeded(stranger, 'production', NOW_US)).toEqual(theirs.deploy)
  })

  it('belong to an environment to the letter', async () => {
    const environments = ['prod', 'Prod', 'production', 'prod ', 'é', 'e\u0301', '']
    for (const environment of environments) await record({ environment, sha: `in ${environment}` })
    for (const environment of environments) {
      const found = await control.deploys.latestSucceeded(projectId, environment, NOW_US)
      expect(found?.sha).toBe(`in ${environment}`)
      expect(await control.deploys.list(projectId, { environment, limit: 10 })).toEqual([found])
    }
    for (const environment of ['PROD', 'prod  ', 'production%', 'prod_']) {
      expect(await control.deploys.latestSucceeded(projectId, environment, NOW_US)).toBeNull()
    }
  })

  it('correlate as the latest succeeded one at or before the moment', async () => {
    const early = (await record({ deployedAtUs: NOW_US - 10 })).deploy
    const late = (await record({ deployedAtUs: NOW_US })).deploy
    await record({ deployedAtUs: NOW_US - 5, status: 'failed' })
    await record({ deployedAtUs: NOW_US - 4, status: 'cancelled' })
    const at = (us: number) => control.deploys.latestSucceeded(projectId, 'production', us)
    expect(await at(NOW_US - 11)).toBeNull()
    expect(await at(NOW_US - 10)).toEqual(early)
    expect(await at(NOW_US - 1)).toEqual(early)
    expect(await at(NOW_US)).toEqual(late)
    expect(await at(NOW_US + 1)).toEqual(late)
  })

  it('at equal times correlate as the later recorded, then as the greater id', async () => {
    const later = (await record({}, NOW + 1)).deploy
    const tied = [(await record()).deploy, (await record()).deploy, (await record()).deploy]
    expect((await control.deploys.latestSucceeded(projectId, 'production', NOW_US))?.id).toBe(later.id)
    const byId = tied.map(({ id }) => id).sort()
    byId.reverse()
    const listed = await control.deploys.list(projectId, { limit: 10 })
    expect(listed.map(({ id }) => id)).toEqual([later.id, ...byId])
  })

  it('correlate with many moments as with each, whatever else there is', async () => {
    const steps = fc.integer({ min: 0, max: 6 })
    const environments = ['production', 'prod', 'Production', ' production']
    const some = fc.record({
      at: steps,
      createdMs: fc.integer({ min: 0, max: 2 }),
      environment: fc.constantFrom(...environments),
      status: fc.constantFrom<Deploy['status']>('succeeded', 'failed', 'cancelled'),
    })
    const latest = (all: Deploy[], environment: string, atUs: number) =>
      all
        .filter((one) => one.status === 'succeeded' && one.environment === environment && one.deployedAtUs <= atUs)
        .map((one) => ({ key: [one.deployedAtUs, Date.parse(one.createdAt), one.id] as const, one }))
        .sort((a, b) => b.key[0] - a.key[0] || b.key[1] - a.key[1] || (a.key[2] < b.key[2] ? 1 : -1))[0]?.one ?? null
    await fc.assert(
      fc.asyncProperty(fc.array(some, { maxLength: 12 }), steps, async (timeline, withinUs) => {
        projectId = (await control.projects.create({ name: `Timeline ${++names}`, retentionDays: 30 }, change)).id
        const all: Deploy[] = []
        for (const { at, createdMs, ...one } of timeline) {
          all.push((await record({ ...one, deployedAtUs: NOW_US + at }, NOW + createdMs)).deploy)
        }
        const moments = environments.flatMap((environment) =>
          [-1, 0, 1, 2, 3, 4, 5, 6, 7].map((at) => ({ environment, atUs: NOW_US + at })),
        )
        const near = await control.deploys.latestSucceededNear(projectId, moments, withinUs)
        for (const [index, { environment, atUs }] of moments.entries()) {
          const running = latest(all, environment, atUs)
          expect(await control.deploys.latestSucceeded(projectId, environment, atUs)).toEqual(running)
          expect(near[index]).toEqual(running && atUs - running.deployedAtUs <= withinUs ? running : null)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('stop correlating at once when they are updated to failed', async () => {
    const before = (await record({ deployedAtUs: NOW_US - 1 })).deploy
    await record({ externalId: 'x' })
    await record({ externalId: 'x', status: 'failed' })
    expect(await control.deploys.latestSucceeded(projectId, 'production', NOW_US)).toEqual(before)
  })

  it('have a latest one that succeeded, anywhere and in each environment', async () => {
    expect(await control.deploys.latest(projectId)).toBeNull()
    const older = (await record({ deployedAtUs: NOW_US - 3 })).deploy
    const newest = (await record({ deployedAtUs: NOW_US - 2, environment: 'staging' })).deploy
    await record({ deployedAtUs: NOW_US - 1, status: 'failed' })
    expect(await control.deploys.latest(projectId)).toEqual(newest)
    expect(await control.deploys.latest(projectId, 'production')).toEqual(older)
    expect(await control.deploys.latest(projectId, 'Production')).toBeNull()
  })

  it('have as the previous one the succeeded one strictly before them in the same environment', async () => {
    const first = (await record({ deployedAtUs: NOW_US - 3 })).deploy
    await record({ deployedAtUs: NOW_US - 2, status: 'failed' })
    await record({ deployedAtUs: NOW_US - 1, environment: 'staging' })
    await record()
    const newest = (await record()).deploy
    expect(await control.deploys.previous(newest)).toEqual(first)
    expect(await control.deploys.previous(first)).toBeNull()
  })

  it('replace and are replaced by the succeeded ones next to them in the same environment, also of the same moment', async () => {
    const first = (await record({ deployedAtUs: NOW_US - 3 })).deploy
    await record({ deployedAtUs: NOW_US - 2, status: 'failed' })
    await record({ deployedAtUs: NOW_US - 1, environment: 'staging' })
    const second = (await record({}, NOW)).deploy
    const third = (await record({}, NOW + 1)).deploy
    expect(await control.deploys.next(first)).toEqual(second)
    expect(await control.deploys.next(second)).toEqual(third)
    expect(await control.deploys.next(third)).toBeNull()
    expect(await control.deploys.replaced(third)).toEqual(second)
    expect(await control.deploys.replaced(second)).toEqual(first)
    expect(await control.deploys.replaced(first)).toBeNull()
  })

  it('are listed newest first, filtered, and page by page without gaps or repeats', async () => {
    for (let i = 0; i < 7; i += 1) {
      const status = i === 2 ? 'failed' : 'succeeded'
      await record({ deployedAtUs: NOW_US + Math.floor(i / 3), sha: `sha${i}`, status }, NOW + (i % 2))
    }
    const all = await control.deploys.list(projectId, { limit: 100 })
    const paged = []
    for (let page = await control.deploys.list(projectId, { limit: 2 }); page.length > 0; ) {
      paged.push(...page)
      page = await control.deploys.list(projectId, { limit: 2, after: page.at(-1) })
    }
    expect(paged).toEqual(all)
    expect(all).toHaveLength(7)
    const turned = []
    for (let page = await control.deploys.list(projectId, { limit: 3, order: 'oldest' }); page.length > 0; ) {
      turned.push(...page)
      page = await control.deploys.list(projectId, { limit: 3, order: 'oldest', after: page.at(-1) })
    }
    expect(turned).toEqual(all.toReversed())
    const shas = async (filter: object) =>
      (await control.deploys.list(projectId, { limit: 100, ...filter })).map(({ sha }) => sha)
    expect(await shas({ status: 'failed' })).toEqual(['sha2'])
    expect(await shas({ sha: 'sha5' })).toEqual(['sha5'])
    expect(await shas({ fromUs: NOW_US + 1, toUs: NOW_US + 2 })).toEqual(
      expect.arrayContaining(['sha3', 'sha4', 'sha5']),
    )
    expect(await shas({ fromUs: NOW_US + 1, toUs: NOW_US + 2 })).toHaveLength(3)
  })

  it('are counted by environment when they succeeded', async () => {
    for (const environment of ['Staging', 'Staging', 'staging', 'a', 'B']) await record({ environment })
    await record({ environment: 'Staging', status: 'failed' })
    expect(await control.deploys.countByEnvironment(projectId)).toEqual([
      { environment: 'Staging', deploys: 2 },
      { environment: 'B', deploys: 1 },
      { environment: 'a', deploys: 1 },
      { environment: 'staging', deploys: 1 },
    ])
  })
})
