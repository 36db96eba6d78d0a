import { MAX_OWN_VIEWS, MAX_SHARED_VIEWS, MAX_VIEW_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProjectId } from '../model/project.ts'
import { controlBackends } from '../testing/control.ts'
import type { Control } from './open.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const ada = { by: 'usr_ada', nowMs: NOW }
const grace = { by: 'usr_grace', nowMs: NOW + 1_000 }
const search = { query: 'level:error', from: '-1h' }
const own = (name: string) => ({ name, isShared: false, search })
/** May delete it. */
const anybody = () => {}
const shared = (name: string) => ({ name, isShared: true, search })

describe.each(controlBackends())('saved views on $name', (backend) => {
  let control: Control
  let made = 0
  let projectId: ProjectId

  beforeAll(async () => {
    if (backend.unavailable === undefined) control = await backend.open()
  })
  beforeEach(async (ctx) => {
    if (backend.unavailable !== undefined) ctx.skip(backend.unavailable)
    made += 1
    projectId = (await control.projects.create({ name: `Views ${made}`, retentionDays: 30 }, ada)).id
  })
  afterAll(() => backend.close())

  const namesFor = async (personId: string) =>
    (await control.views.list(projectId, personId)).map(({ name, owner }) => `${name} of ${owner}`)
  const actions = async () =>
    (await control.audit.list({ projectId, limit: 50 }))
      .filter(({ action }) => action.startsWith('view.'))
      .map(({ action, by, details }) => `${action} ${details.name} by ${by}`)
      .reverse()

  it('are listed by name, whoever shares them, and one person does not see what another keeps', async () => {
    await control.views.add(projectId, own('b mine'), ada)
    await control.views.add(projectId, shared('C ours'), ada)
    await control.views.add(projectId, own('a hers'), grace)
    expect(await namesFor('usr_ada')).toEqual(['b mine of usr_ada', 'C ours of usr_ada'])
    expect(await namesFor('usr_grace')).toEqual(['a hers of usr_grace', 'C ours of usr_ada'])
    expect((await control.views.list(projectId, 'usr_grace'))[0]).toEqual({
      id: expect.stringMatching(/^viw_/),
      name: 'a hers',
      isShared: false,
      search,
      owner: 'usr_grace',
      createdAt: '2026-11-15T12:00:01.000Z',
      updatedAt: '2026-11-15T12:00:01.000Z',
    })
  })

  it('are of one project: another one neither lists, changes nor deletes them', async () => {
    const view = await control.views.add(projectId, shared('Ours'), ada)
    const other = (await control.projects.create({ name: `Other ${made}`, retentionDays: 30 }, ada)).id
    expect(await control.views.list(other, 'usr_ada')).toEqual([])
    expect(await control.views.change(other, view.id, () => shared('Taken'), ada)).toBe(null)
    expect(await control.views.remove(other, view.id, anybody, ada)).toBe(false)
    expect(await namesFor('usr_ada')).toEqual(['Ours of usr_ada'])
  })

  it('have a name once for each owner, however it is written', async () => {
    await control.views.add(projectId, own('Errors'), ada)
    const second = await control.views.add(projectId, shared('Payments'), ada)
    await control.views.add(projectId, shared('errors'), grace)
    const taken = { code: 'conflict', message: 'There is already a view called "ERRORS". Choose another name.' }
    await expect(control.views.add(projectId, shared(' ERRORS'), ada)).rejects.toMatchObject(taken)
    await expect(control.views.change(projectId, second.id, () => own('ERRORS'), ada)).rejects.toMatchObject(taken)
    expect((await control.views.change(projectId, second.id, () => shared('PAYMENTS'), ada))?.name).toBe('PAYMENTS')
  })

  it('of somebody else are renamed as asked: what they keep to themselves gives way, and is told to nobody', async () => {
    const long = 'x'.repeat(MAX_VIEW_NAME_CHARACTERS)
    await control.views.add(projectId, own(long), ada)
    await control.views.add(projectId, shared('Ours, too'), ada)
    const { id } = await control.views.add(projectId, shared(`${'x'.repeat(MAX_VIEW_NAME_CHARACTERS - 2)} 2`), ada)
    expect(await control.views.change(projectId, id, () => shared(long.toUpperCase()), grace)).toMatchObject({
      name: long.toUpperCase(),
      owner: 'usr_ada',
    })
    expect(await namesFor('usr_ada')).toEqual([
      'Ours, too of usr_ada',
      `${'x'.repeat(MAX_VIEW_NAME_CHARACTERS - 2)} 3 of usr_ada`,
      `${long.toUpperCase()} of usr_ada`,
    ])
    const taken = control.views.change(projectId, id, () => shared('ours, TOO'), grace)
    await expect(taken).rejects.toThrow('There is already a view called "ours, TOO". Choose another name.')
  })

  it('of one name that are saved at once end in one', async () => {
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => control.views.add(projectId, own('Once'), ada)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await namesFor('usr_ada')).toEqual(['Once of usr_ada'])
  })

  it('stand in the audit as far as others see them', async () => {
    const { id } = await control.views.add(projectId, own('Mine'), ada)
    await control.views.change(projectId, id, () => own('Still mine'), ada)
    await control.views.change(projectId, id, () => shared('Ours'), ada)
    await control.views.change(projectId, id, () => shared('Ours too'), grace)
    await control.views.change(projectId, id, () => own('Mine'), ada)
    await control.views.remove(projectId, id, anybody, ada)
    const { id: other } = await control.views.add(projectId, shared('Hers'), grace)
    await control.views.remove(projectId, other, anybody, ada)
    expect(await actions()).toEqual([
      'view.shared Ours by usr_ada',
      'view.changed Ours too by usr_grace',
      'view.unshared Mine by usr_ada',
      'view.shared Hers by usr_grace',
      'view.deleted Hers by usr_ada',
    ])
  })

  it('are changed as they are at that moment, and not at all by who may not then', async () => {
    const { id } = await control.views.add(projectId, shared('Ours'), ada)
    await control.views.change(
      projectId,
      id,
      (before) => ({ ...before, isShared: false, search: { query: 'mine' } }),
      ada,
    )
    const refuse = ({ isShared }: { isShared: boolean }) => {
      if (!isShared) throw new Error('It is private by now.')
    }
    const rename = control.views.change(
      projectId,
      id,
      (before) => {
        refuse(before)
        return { ...before, name: 'Theirs' }
      },
      grace,
    )
    await expect(rename).rejects.toThrow('private by now')
    await expect(control.views.remove(projectId, id, refuse, grace)).rejects.toThrow('private by now')
    expect(await control.views.list(projectId, 'usr_ada')).toMatchObject([{ name: 'Ours', search: { query: 'mine' } }])
    const edits = ['a', 'b', 'c'].map((letter) =>
      control.views.change(projectId, id, (before) => ({ ...before, name: `${before.name}${letter}` }), ada),
    )
    await Promise.all(edits)
    const name = (await control.views.list(projectId, 'usr_ada'))[0]!.name
    expect([...name.slice(4)].toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('stand in the audit with what they were', async () => {
    const { id } = await control.views.add(projectId, shared('Ours'), ada)
    await control.views.change(projectId, id, (before) => ({ ...before, name: 'Empty', search: {} }), grace)
    const [entry] = await control.audit.list({ projectId, limit: 1 })
    expect(entry?.details).toMatchObject({ name: 'Empty', nameBefore: 'Ours', searchBefore: JSON.stringify(search) })
  })

  it('hold a bounded number of bytes', async () => {
    const view = { ...own('Long'), search: { query: 'ä'.repeat(4_096) } }
    await expect(control.views.add(projectId, view, ada)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('of a later version are shown as far as they are known, and broken ones not at all', async () => {
    const { id } = await control.views.add(projectId, own('Later'), ada)
    const broken = await control.views.add(projectId, own('Broken'), ada)
    const bare = await backend.openBare()
    const write = (view: string, text: string) =>
      bare.db.updateTable('saved_views').set({ search: text }).where('id', '=', view).execute()
    await write(id, '{"query":"a","shape":"round"}')
    await write(broken.id, '{"query":7')
    expect(await control.views.list(projectId, 'usr_ada')).toMatchObject([{ name: 'Later', search: { query: 'a' } }])
    expect(await control.views.remove(projectId, broken.id, anybody, ada)).toBe(false)
  })

  it('go with a deleted project', async () => {
    await control.views.add(projectId, shared('Ours'), ada)
    await control.views.purge(projectId)
    expect(await control.views.list(projectId, 'usr_ada')).toEqual([])
  })

  it('are bounded, for the project and for each person', async () => {
    for (let at = 0; at < MAX_SHARED_VIEWS; at += 1) await control.views.add(projectId, shared(`S${at}`), ada)
    await expect(control.views.add(projectId, shared('More'), grace)).rejects.toMatchObject({
      message: 'A project shares at most 200 views. Delete one first.',
    })
    for (let at = 0; at < MAX_OWN_VIEWS; at += 1) await control.views.add(projectId, own(`O${at}`), grace)
    await expect(control.views.add(projectId, own('More'), grace)).rejects.toMatchObject({
      message: 'You can keep at most 100 views to yourself here. Delete one first.',
    })
    const { id } = await control.views.add(projectId, own('Mine'), ada)
    await expect(control.views.change(projectId, id, () => shared('Mine'), ada)).rejects.toMatchObject({
      code: 'conflict',
    })
  }, 60_000)

  it.each([
    ['  ', 'must not be empty'],
    ['x'.repeat(81), 'must have at most 80 characters'],
    ['x'.repeat(120), 'must have at most 80 characters'],
    ['a\u202eb', 'must not contain control or invisible characters'],
  ])('with the name %j are refused', async (name, words) => {
    await expect(control.views.add(projectId, own(name), ada)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'name', message: words }],
    })
  })
})
