import { MAX_COMMENTS } from '@tidemark/wire/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProjectId } from '../../model/project.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import type { Control } from '../open.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const AT = '2026-11-15T12:00:00.000Z'
const ada = { by: 'usr_ada', nowMs: NOW }
const grace = { by: 'usr_grace', nowMs: NOW + 1_000 }

describe.each(controlBackends())('notes on $name', (backend) => {
  let control: Control
  let made = 0
  let projectId: ProjectId
  let ids: string[]

  beforeAll(async () => {
    if (backend.unavailable === undefined) control = await backend.open()
  })
  beforeEach(async (ctx) => {
    if (backend.unavailable !== undefined) ctx.skip(backend.unavailable)
    ;({ projectId, ids } = await newProject())
  })
  afterAll(() => backend.close())

  async function newProject() {
    made += 1
    const { id } = await control.projects.create({ name: `Notes ${made}`, retentionDays: 30 }, ada)
    const groups = ['00000000000000aa', '00000000000000bb'].map((fingerprint) =>
      errorGroup(id, { fingerprint, atUs: NOW * 1_000 }),
    )
    await control.analyses.record([{ segmentId: `seg_notes_${made}`, groups }], NOW)
    const listed = await control.analyses.list(id, { sort: 'lastSeen', limit: 10 }, NOW * 1_000)
    return { projectId: id, ids: listed.map((one) => one.id) }
  }
  const actions = async () =>
    (await control.audit.list({ projectId, limit: 20 }))
      .map(({ action, by }) => `${action} ${by}`)
      .filter((text) => text.startsWith('analysis.'))
      .reverse()

  it('say who looks after an analysis, its ticket and what was said, with who and when', async () => {
    const [id = '', other = ''] = ids
    await control.analysisNotes.assign(projectId, [id], 'usr_grace', ada)
    await control.analysisNotes.link(projectId, id, 'https://tickets.example/42', ada)
    await control.analysisNotes.comment(projectId, id, 'It is the cache', grace)
    const notes = await control.analysisNotes.get(projectId, id)
    expect(notes).toEqual({
      assignee: { personId: 'usr_grace', at: AT, by: 'usr_ada' },
      ticket: { url: 'https://tickets.example/42', at: AT, by: 'usr_ada' },
      comments: [
        {
          id: expect.stringMatching(/^com_/),
          author: 'usr_grace',
          text: 'It is the cache',
          createdAt: '2026-11-15T12:00:01.000Z',
          editedAt: null,
        },
      ],
    })
    expect(await control.analysisNotes.get(projectId, other)).toEqual({ assignee: null, ticket: null, comments: [] })
    expect(await control.analysisNotes.of(projectId, ids)).toEqual(
      new Map([[id, { assignee: 'usr_grace', ticket: 'https://tickets.example/42', comments: 1 }]]),
    )
    expect(await actions()).toEqual([
      'analysis.assigned usr_ada',
      'analysis.linked usr_ada',
      'analysis.commented usr_grace',
    ])
  })

  it('are written once: what is so already leaves no entry', async () => {
    const [id = ''] = ids
    await control.analysisNotes.assign(projectId, [id], 'usr_ada', ada)
    await control.analysisNotes.assign(projectId, [id, id], 'usr_ada', grace)
    await control.analysisNotes.link(projectId, id, null, grace)
    await control.analysisNotes.assign(projectId, [id], null, grace)
    expect(await control.analysisNotes.of(projectId, ids)).toEqual(new Map())
    expect(await actions()).toEqual(['analysis.assigned usr_ada', 'analysis.unassigned usr_grace'])
    expect((await control.audit.verify()).intact).toBe(true)
  })

  it('are for all analyses that are named, or for none', async () => {
    await control.analysisNotes.assign(projectId, ids, 'usr_ada', ada)
    expect((await control.analysisNotes.of(projectId, ids)).size).toBe(2)
    const unknown = control.analysisNotes.assign(projectId, [...ids, 'ana_none'], 'usr_grace', ada)
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
    const notes = await control.analysisNotes.of(projectId, ids)
    expect([...notes.values()].map(({ assignee }) => assignee)).toEqual(['usr_ada', 'usr_ada'])
  })

  it('of one project are neither seen nor changed from another', async () => {
    const [id = ''] = ids
    await control.analysisNotes.comment(projectId, id, 'ours', ada)
    const [{ id: commentId } = { id: '' }] = (await control.analysisNotes.get(projectId, id)).comments
    const stranger = (await newProject()).projectId
    const place = { analysisId: id, commentId }
    const changes = [
      () => control.analysisNotes.assign(stranger, [id], 'usr_ada', ada),
      () => control.analysisNotes.link(stranger, id, 'https://tickets.example/1', ada),
      () => control.analysisNotes.comment(stranger, id, 'theirs', ada),
      () => control.analysisNotes.editComment(stranger, place, 'theirs', ada),
      () => control.analysisNotes.deleteComment(stranger, place, true, ada),
    ]
    for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'not_found' })
    expect(await control.analysisNotes.get(stranger, id)).toEqual({ assignee: null, ticket: null, comments: [] })
    expect((await control.analysisNotes.of(stranger, ids)).size).toBe(0)
    expect((await control.analysisNotes.get(projectId, id)).comments.map(({ text }) => text)).toEqual(['ours'])
  })

  it('are edited by their author alone, and deleted by them or by whoever may delete all', async () => {
    const [id = '', other = ''] = ids
    await control.analysisNotes.comment(projectId, id, 'first', ada)
    const [{ id: commentId } = { id: '' }] = (await control.analysisNotes.get(projectId, id)).comments
    const place = { analysisId: id, commentId }
    const elsewhere = { analysisId: other, commentId }
    await expect(control.analysisNotes.editComment(projectId, place, 'x', grace)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(control.analysisNotes.editComment(projectId, elsewhere, 'x', ada)).rejects.toMatchObject({
      code: 'not_found',
    })
    await control.analysisNotes.editComment(projectId, place, 'second', { ...ada, nowMs: NOW + 5_000 })
    expect((await control.analysisNotes.get(projectId, id)).comments).toMatchObject([
      { text: 'second', createdAt: AT, editedAt: '2026-11-15T12:00:05.000Z' },
    ])
    await expect(control.analysisNotes.deleteComment(projectId, place, false, grace)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await control.analysisNotes.deleteComment(projectId, place, true, grace)
    expect((await control.analysisNotes.get(projectId, id)).comments).toEqual([])
    expect(await actions()).toEqual([
      'analysis.commented usr_ada',
      'analysis.comment_edited usr_ada',
      'analysis.comment_deleted usr_grace',
    ])
  })

  it('go with the errors when analyses are merged; what the other one has of its own stays', async () => {
    const [from = '', into = ''] = ids
    await control.analysisNotes.assign(projectId, [from, into], 'usr_ada', ada)
    await control.analysisNotes.assign(projectId, [into], 'usr_grace', ada)
    await control.analysisNotes.link(projectId, from, 'https://tickets.example/7', ada)
    await control.analysisNotes.comment(projectId, from, 'from', ada)
    await control.analysisNotes.comment(projectId, into, 'into', grace)
    await control.groupingRules.add(projectId, { kind: 'merge', analysisId: from, intoAnalysisId: into }, ada)
    const notes = await control.analysisNotes.get(projectId, into)
    expect(notes.assignee?.personId).toBe('usr_grace')
    expect(notes.ticket?.url).toBe('https://tickets.example/7')
    expect(notes.comments.map(({ text }) => text)).toEqual(['from', 'into'])
    // The id that was merged away still takes notes, where its errors are now.
    await control.analysisNotes.comment(projectId, from, 'later', { ...ada, nowMs: NOW + 9_000 })
    expect((await control.analysisNotes.get(projectId, into)).comments).toHaveLength(3)
  })

  it('are bounded, and go with their project', async () => {
    const [id = ''] = ids
    for (let at = 0; at < MAX_COMMENTS; at += 1) await control.analysisNotes.comment(projectId, id, `${at}`, ada)
    await expect(control.analysisNotes.comment(projectId, id, 'more', ada)).rejects.toMatchObject({ code: 'conflict' })
    await control.projects.delete(projectId, ada)
    await control.analyses.purge(projectId)
    expect(await control.analysisNotes.get(projectId, id)).toEqual({ assignee: null, ticket: null, comments: [] })
  })

  describe('and many at once', () => {
    it('are resolved all or none, each with its entry', async () => {
      expect(await control.analyses.setStatuses(projectId, [...ids, 'ana_none'], 'resolved', ada)).toBeNull()
      expect(await actions()).toEqual([])
      const changed = await control.analyses.setStatuses(projectId, [...ids, ...ids], 'resolved', ada)
      expect(changed?.map(({ status }) => status)).toEqual(['resolved', 'resolved'])
      expect(await actions()).toEqual(['analysis.resolved usr_ada', 'analysis.resolved usr_ada'])
    })

    it('are counted before a rule ignores them, exactly as it then does', async () => {
      const rule = { kind: 'ignore', type: 'Error' } as const
      const would = await control.groupingRules.wouldIgnore(projectId, rule, 1)
      expect(would).toMatchObject({ analyses: 2, errors: 2, examples: [{ environment: 'production', count: 1 }] })
      expect(await control.groupingRules.wouldIgnore(projectId, { service: 'none' }, 5)).toEqual({
        ...{ analyses: 0, errors: 0, examples: [] },
      })
      await expect(control.groupingRules.wouldIgnore(projectId, {}, 5)).rejects.toMatchObject({
        code: 'invalid_request',
      })
      await control.groupingRules.add(projectId, rule, ada)
      const ignored = await control.analyses.list(
        projectId,
        { sort: 'lastSeen', limit: 10, state: 'ignored' },
        NOW * 1_000,
      )
      expect(ignored).toHaveLength(would.analyses)
      expect((await control.groupingRules.wouldIgnore(projectId, rule, 5)).analyses).toBe(0)
    })
  })
})
