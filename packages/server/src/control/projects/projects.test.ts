import type { RetentionRuleInput } from '@tidemark/wire/retention'
import { beforeAll, describe, expect, it } from 'vitest'
import { controlBackends, untilAvailable } from '../../testing/control.ts'
import { useBackend } from '../../testing/use-backend.ts'
import type { Control } from '../open.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const change = { by: 'operator', nowMs: NOW }

describe.each(controlBackends())('projects on $name', (backend) => {
  let control: Control
  let other: Control
  const create = (name: string) => control.projects.create({ name, retentionDays: 30 }, change)

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    control = await backend.open()
    other = await backend.open()
  })
  useBackend(backend)

  it('begin with the defaults', async () => {
    const project = await create('  Shop ')
    expect(project).toEqual({
      id: expect.stringMatching(/^prj_[0-9a-f-]{36}$/),
      name: 'Shop',
      createdAt: '2026-11-15T12:00:00.000Z',
      defaultEnvironment: 'production',
      retentionDays: 30,
      retentionRules: [],
      monthlyQuotaRecords: null,
      maxBytesPerSecond: null,
      maxRequestsPerSecond: null,
      redaction: {},
    })
    expect(await other.projects.get(project.id)).toEqual(project)
  })

  it('have a name that no other living project has in any letter case', async () => {
    await create('Zürich')
    for (const name of ['zürich', 'ZÜRICH', ' Zu\u0308rich ', 'Ｚürich']) {
      await expect(create(name)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('already exists. Choose another name.'),
      })
    }
  })

  it('have one winner when many are made with one name at once', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) =>
        untilAvailable(() => (i % 2 ? control : other).projects.create({ name: 'Race', retentionDays: 1 }, change)),
      ),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' })
    }
  })

  it('refuse a name that is empty, too long, invisible or like an id', async () => {
    for (const name of ['', '   ', 'x'.repeat(101), 'a\nb', 'a\u202eb', 'prj_x', 'PRJ_x']) {
      await expect(create(name)).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path: 'name' }] })
    }
    expect((await create('🌊'.repeat(100))).name).toBe('🌊'.repeat(100))
  })

  it('are found by id or by name, and a miss names those there are', async () => {
    const project = await create('Findable')
    expect((await control.projects.find(project.id)).id).toBe(project.id)
    expect((await control.projects.find('findable')).id).toBe(project.id)
    await expect(control.projects.find('nope')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^No project has the id or name "nope"\. There are: .*Findable/),
    })
  })

  it('take a new name and leave the old one to others', async () => {
    const project = await create('Before')
    expect((await control.projects.rename(project.id, 'After', change)).name).toBe('After')
    expect((await control.projects.rename(project.id, 'AFTER', change)).name).toBe('AFTER')
    await create('Before')
    await expect(control.projects.rename(project.id, 'before', change)).rejects.toMatchObject({ code: 'conflict' })
    // All or nothing.
    await expect(
      control.projects.changeSettings(project.id, { name: 'before', retentionDays: 1 }, change),
    ).rejects.toMatchObject({ code: 'conflict' })
    expect(await control.projects.get(project.id)).toMatchObject({
      name: 'AFTER',
      retentionDays: project.retentionDays,
    })
    const both = { name: 'Together', retentionDays: 3 }
    expect(await control.projects.changeSettings(project.id, both, change)).toMatchObject(both)
    await expect(control.projects.rename('prj_none', 'x', change)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('change the settings that are given, keep the others, and clear a limit with null', async () => {
    const { id } = await create('Settings')
    await control.projects.changeSettings(id, { monthlyQuotaRecords: 5_000_000_000, maxRequestsPerSecond: 7 }, change)
    await control.projects.changeSettings(id, { maxRequestsPerSecond: null, defaultEnvironment: 'Prod ' }, change)
    expect(await other.projects.get(id)).toMatchObject({
      monthlyQuotaRecords: 5_000_000_000,
      maxRequestsPerSecond: null,
      defaultEnvironment: 'Prod ',
      retentionDays: 30,
    })
  })

  it('refuse bad settings, naming every one, and change nothing', async () => {
    const { id } = await create('Bad settings')
    const bad = { retentionDays: 0, monthlyQuotaRecords: 1.5, defaultEnvironment: '', maxBytesPerSecond: 10 }
    await expect(control.projects.changeSettings(id, bad, change)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'defaultEnvironment' }, { path: 'retentionDays' }, { path: 'monthlyQuotaRecords' }],
    })
    expect((await control.projects.get(id))?.maxBytesPerSecond).toBeNull()
    await expect(control.projects.changeSettings(id, {}, change)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('keep the rules of their retention in order, as they are meant', async () => {
    const { id } = await create('Rules')
    const retentionRules: RetentionRuleInput[] = [
      { levels: ['fatal', 'error', 'error'], days: 90 },
      { service: 'search', environment: null, days: 7 },
    ]
    await control.projects.changeSettings(id, { retentionRules }, change)
    const kept = [
      { levels: ['error', 'fatal'], service: null, environment: null, days: 90 },
      { levels: null, service: 'search', environment: null, days: 7 },
    ]
    expect((await other.projects.get(id))?.retentionRules).toEqual(kept)
    await control.projects.changeSettings(id, { retentionDays: 14 }, change)
    expect((await other.projects.get(id))?.retentionRules).toEqual(kept)
    await control.projects.changeSettings(id, { retentionRules: [] }, change)
    expect((await other.projects.get(id))?.retentionRules).toEqual([])
  })

  it.each<[string, RetentionRuleInput[], string]>([
    ['that names nothing', [{ days: 3 }], 'retentionRules.0.levels'],
    ['for no level', [{ levels: [], days: 3 }], 'retentionRules.0.levels'],
    ['for a service without a name', [{ service: '', days: 3 }], 'retentionRules.0.service'],
    ['for an environment with a control character', [{ environment: 'a\tb', days: 3 }], 'retentionRules.0.environment'],
    ['of no day', [{ levels: ['debug'], days: 0 }], 'retentionRules.0.days'],
    ['of half a day', [{ levels: ['debug'], days: 0.5 }], 'retentionRules.0.days'],
    ['of more days than there may be', [{ levels: ['debug'], days: 3_651 }], 'retentionRules.0.days'],
    [
      'after one that applies to the same records',
      [
        { levels: ['debug', 'info'], days: 3 },
        { levels: ['debug'], service: 'web', days: 5 },
      ],
      'retentionRules.1.days',
    ],
    ['too many', Array.from({ length: 21 }, (_, at) => ({ service: `service ${at}`, days: 3 })), 'retentionRules'],
  ])('refuse a rule %s', async (_, retentionRules, path) => {
    const { id } = await create(`Rule ${path} ${_}`)
    await expect(control.projects.changeSettings(id, { retentionRules }, change)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path }],
    })
    expect((await control.projects.get(id))?.retentionRules).toEqual([])
  })

  it('disappear when deleted, free their name, and wait for their records to be removed', async () => {
    const project = await create('Short-lived')
    await control.projects.delete(project.id, change)
    expect(await control.projects.get(project.id)).toBeNull()
    expect((await control.projects.list()).map(({ id }) => id)).not.toContain(project.id)
    await expect(control.projects.find('Short-lived')).rejects.toMatchObject({ code: 'not_found' })
    await expect(control.projects.delete(project.id, change)).rejects.toMatchObject({ code: 'not_found' })
    await create('Short-lived')
    expect(await control.projects.listDeleted()).toEqual([{ id: project.id, deletedAt: '2026-11-15T12:00:00.000Z' }])
    await control.projects.markPurged(project.id, NOW)
    expect(await control.projects.listDeleted()).toEqual([])
  })
})
