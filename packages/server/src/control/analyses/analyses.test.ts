import { QUIET_WINDOW_US } from '@tidemark/wire/analyses/analysis-state'
import { DAY_US, HOUR_US } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { analysisId } from '../../analysis/group/analysis-id.ts'
import { currentEpisode, NEW_FOR_US, stateOf } from '../../model/analysis.ts'
import type { ProjectId } from '../../model/project.ts'
import { controlBackends, untilAvailable } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { searchStacks } from '../database/migrations/0006-search-stacks.ts'
import type { Control } from '../open.ts'
import type { ErrorGroup } from './place-errors.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const NOW_US = NOW * 1_000
const change = { by: 'usr_1', nowMs: NOW }
const NEWEST = { limit: 100, sort: 'lastSeen' } as const

describe.each(controlBackends())('analyses on $name', (backend) => {
  let control: Control
  let other: Control
  let made = 0
  let projectId: ProjectId

  const group = (some: Parameters<typeof errorGroup>[1] = {}) => errorGroup(projectId, { atUs: NOW_US, ...some })
  const segment = (...groups: ErrorGroup[]) => {
    made += 1
    return { segmentId: `seg_${made}`, groups }
  }
  const record = (...groups: ErrorGroup[]) => control.analyses.record([segment(...groups)], NOW)
  const only = async () => {
    const [analysis, ...others] = await control.analyses.list(projectId, NEWEST, NOW_US)
    expect(others).toEqual([])
    if (!analysis) throw new Error('there is no analysis')
    return analysis
  }

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    control = await backend.open()
    other = await backend.open()
  })
  beforeEach(async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    made += 1
    projectId = (await control.projects.create({ name: `Project ${made}`, retentionDays: 30 }, change)).id
  })
  afterAll(() => backend.close())

  it('come back as they were recorded, to the microsecond', async () => {
    await record(group({ atUs: NOW_US + 7, count: 3, lastUs: NOW_US + 9 }))
    const id = analysisId(projectId, 'production', { fingerprint: '00000000000000aa', splitValue: '' })
    expect(await other.analyses.get(projectId, id)).toEqual({
      id,
      projectId,
      environment: 'production',
      fingerprint: '00000000000000aa',
      splitValue: '',
      title: 'Error 00000000000000aa',
      type: 'Error',
      where: 'pay (cart.ts)',
      service: 'shop',
      level: 'error',
      grouping: 'grouped by Error and 1 in-app frame',
      status: 'open',
      firstSeenUs: NOW_US + 7,
      lastSeenUs: NOW_US + 9,
      count: 3,
      episodes: [
        {
          floorUs: null,
          began: 'first',
          anchorUs: NOW_US + 7,
          anchorLogId: `log_00000000000000aa_${NOW_US + 7}`,
          lastSeenUs: NOW_US + 9,
          count: 3,
        },
      ],
      sample: {
        logId: `log_00000000000000aa_${NOW_US + 7}`,
        message: 'it failed 00000000000000aa',
        error: { type: 'Error', message: 'it failed', stack: '' },
        environmentDefaulted: false,
      },
      resolvedAtUs: null,
      stateChangedAt: null,
      stateChangedBy: null,
      createdAt: '2026-11-15T12:00:00.000Z',
    })
  })

  it('are recorded although what was made of their stack was cut within a character', async () => {
    const cut = 'Error: a\ud83d\n    at src/a.ts:1:1'
    const { sample } = group()
    await record(group({ sample: { ...sample, sourceStack: cut } }))
    expect((await only()).sample.sourceStack).toBe('Error: a\ufffd\n    at src/a.ts:1:1')
  })

  it('are told apart by environment to the letter, by split value and by project', async () => {
    const stranger = (await control.projects.create({ name: `Stranger ${made}`, retentionDays: 30 }, change)).id
    await record(
      group(),
      group({ environment: 'Production' }),
      group({ splitValue: 'api' }),
      errorGroup(stranger, { atUs: NOW_US }),
    )
    const all = await control.analyses.list(projectId, NEWEST, NOW_US)
    expect(all.map(({ environment, splitValue }) => [environment, splitValue]).sort()).toEqual([
      ['Production', ''],
      ['production', ''],
      ['production', 'api'],
    ])
    const [theirs] = await control.analyses.list(stranger, NEWEST, NOW_US)
    expect(await control.analyses.get(projectId, theirs?.id ?? '')).toBeNull()
    expect(await control.analyses.setStatuses(projectId, [theirs?.id ?? ''], 'resolved', change)).toBeNull()
    const ids = [...all.map(({ id }) => id), theirs?.id ?? '', 'ana_none']
    expect(await control.analyses.existing(projectId, ids)).toEqual(new Set(all.map(({ id }) => id)))
  })

  it('count a segment once, however often and by how many nodes it is recorded', async () => {
    const twice = segment(group({ count: 5 }))
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        untilAvailable(() => (i % 2 ? control : other).analyses.record([twice, twice], NOW)),
      ),
    )
    await control.analyses.record([twice, segment(group({ count: 2 }))], NOW)
    expect((await only()).count).toBe(7)
  })

  it('lose and double nothing when nodes record segments of the same groups at once', async () => {
    const segments = Array.from({ length: 12 }, (_, i) =>
      segment(...[1, 2, 3].map((n) => group({ fingerprint: `000000000000000${(i + n) % 5}`, count: n }))),
    )
    await Promise.all(
      segments.map((one, i) =>
        untilAvailable(() => (i % 2 ? control : other).analyses.record([one, segments[(i + 1) % 12] ?? one], NOW)),
      ),
    )
    const all = await control.analyses.list(projectId, NEWEST, NOW_US)
    expect(all).toHaveLength(5)
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(12 * 6)
  })

  it('are recorded all or not at all', async () => {
    const bad = group({ fingerprint: '00000000000000bb', title: `a${String.fromCharCode(0)}b` })
    const both = [segment(group()), segment(bad)]
    await expect(control.analyses.record(both, NOW)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await control.analyses.list(projectId, NEWEST, NOW_US)).toEqual([])
    await control.analyses.record(both.slice(0, 1), NOW)
    expect((await only()).count).toBe(1)
  })

  it('leave the queue with the segment', async () => {
    const done = segment(group())
    await control.analysisQueue.add({ segmentId: done.segmentId, days: [1], errors: 1 }, NOW)
    await control.analyses.record([done], NOW)
    await control.analysisQueue.add({ segmentId: done.segmentId, days: [1], errors: 1 }, NOW)
    await control.analyses.record([done], NOW)
    expect((await control.analysisQueue.waiting()).segments).toBe(0)
    expect((await only()).count).toBe(1)
  })

  it('need no description when they exist, and say so when they do not', async () => {
    const blank = { logId: '', message: '', error: null, environmentDefaulted: false }
    const silent = group({ title: '', sample: blank, atUs: NOW_US + 5 })
    await expect(record(silent)).rejects.toMatchObject({ code: 'unavailable' })
    await record(group())
    await record(silent)
    expect(await only()).toMatchObject({ count: 2, title: 'Error 00000000000000aa', lastSeenUs: NOW_US + 5 })
  })

  it('do not come back for a deleted project, and are purged with their rules', async () => {
    await record(group(), group({ fingerprint: '00000000000000bb' }))
    await control.groupingRules.add(projectId, { kind: 'ignore', type: 'Error' }, change)
    await control.projects.delete(projectId, change)
    await control.analyses.purge(projectId)
    await record(group())
    expect(await control.analyses.list(projectId, NEWEST, NOW_US)).toEqual([])
    expect(await control.groupingRules.list(projectId)).toEqual([])
  })

  describe('resolved', () => {
    const resolve = async () => {
      await record(group({ atUs: NOW_US - HOUR_US }))
      const resolved = await control.analyses.setStatuses(projectId, [(await only()).id], 'resolved', change)
      return resolved?.[0]
    }

    it('say since when and by whom, once, and in the audit log', async () => {
      const analysis = await resolve()
      expect(analysis).toMatchObject({
        status: 'resolved',
        resolvedAtUs: NOW_US,
        stateChangedBy: 'usr_1',
        stateChangedAt: '2026-11-15T12:00:00.000Z',
      })
      const again = await control.analyses.setStatuses(projectId, [analysis?.id ?? ''], 'resolved', {
        by: 'x',
        nowMs: NOW + 9,
      })
      expect(again).toEqual([analysis])
      const entries = await control.audit.list({ projectId, limit: 10 })
      expect(entries.filter(({ action }) => action.startsWith('analysis.'))).toMatchObject([
        { action: 'analysis.resolved', by: 'usr_1', details: { analysis: analysis?.id, environment: 'production' } },
      ])
    })

    it('regress with an error after it', async () => {
      await resolve()
      await record(group({ atUs: NOW_US + 1 }))
      const analysis = await only()
      expect(analysis).toMatchObject({ status: 'open', resolvedAtUs: null, stateChangedBy: null, count: 2 })
      expect(currentEpisode(analysis)).toMatchObject({ began: 'resolved', floorUs: NOW_US, anchorUs: NOW_US + 1 })
      expect(stateOf(analysis, NOW_US)).toBe('regressed')
    })

    it('stay resolved with a late error from before, which is counted', async () => {
      await resolve()
      await record(group({ atUs: NOW_US }))
      expect(await only()).toMatchObject({ status: 'resolved', count: 2, lastSeenUs: NOW_US })
    })

    it('ask for errors on both sides to be split, and record nothing until they are', async () => {
      await resolve()
      const across = group({ atUs: NOW_US - 1, lastUs: NOW_US + 5, count: 4 })
      const one = segment(across)
      const whole = segment(group({ atUs: NOW_US - 2 }))
      const { splits } = await control.analyses.record([whole, one], NOW)
      expect(splits).toEqual([{ segmentId: one.segmentId, group: across, atUs: NOW_US }])
      expect((await only()).count).toBe(1)
      const parts = [
        group({ atUs: NOW_US - 1, lastUs: NOW_US, count: 3 }),
        group({ atUs: NOW_US + 2, lastUs: NOW_US + 5, count: 1 }),
      ]
      expect(await control.analyses.record([whole, { ...one, groups: parts }], NOW)).toEqual({ splits: [] })
      const analysis = await only()
      expect(analysis.episodes.map(({ count, anchorUs }) => [count, anchorUs])).toEqual([
        [5, NOW_US - HOUR_US],
        [1, NOW_US + 2],
      ])
    })

    it('can be reopened and ignored, each audited', async () => {
      const id = (await resolve())?.id ?? ''
      const reopened = await control.analyses.setStatuses(projectId, [id], 'open', change)
      expect(reopened).toMatchObject([{ status: 'open', resolvedAtUs: null }])
      expect(reopened?.[0]?.episodes).toHaveLength(1)
      await control.analyses.setStatuses(projectId, [id], 'ignored', change)
      await record(group({ atUs: NOW_US + 30 * 24 * HOUR_US }))
      expect(await only()).toMatchObject({ status: 'ignored', count: 2 })
      const entries = await control.audit.list({ projectId, limit: 3 })
      expect(entries.map(({ action }) => action)).toEqual([
        'analysis.ignored',
        'analysis.reopened',
        'analysis.resolved',
      ])
      expect((await control.audit.verify()).intact).toBe(true)
    })
  })

  it('begin a new episode after the quiet window', async () => {
    await record(group({ atUs: NOW_US - QUIET_WINDOW_US - 1 }))
    await record(group())
    const analysis = await only()
    expect(analysis.episodes.map(({ began }) => began)).toEqual(['first', 'quiet'])
    expect(stateOf(analysis, NOW_US)).toBe('regressed')
  })

  describe('in a list', () => {
    beforeEach(async (test) => {
      if (backend.unavailable !== undefined) test.skip(backend.unavailable)
      await record(
        group({ fingerprint: '0000000000000001', atUs: NOW_US - 1, count: 5, title: 'Card refused', service: 'pay' }),
        group({ fingerprint: '0000000000000002', atUs: NOW_US - 2, count: 9, title: '100% CPU_load!', where: 'Über' }),
        group({ fingerprint: '0000000000000003', atUs: NOW_US - 3 * DAY_US, count: 7, lastUs: NOW_US - 2 * DAY_US }),
        group({ fingerprint: '0000000000000004', atUs: NOW_US - 9 * DAY_US, environment: 'staging' }),
      )
      await record(group({ fingerprint: '0000000000000004', atUs: NOW_US - DAY_US, environment: 'staging' }))
    })
    const named = async (filter: object) => {
      const found = await control.analyses.list(projectId, { ...NEWEST, ...filter }, NOW_US)
      return found.map(({ fingerprint }) => fingerprint.slice(-1)).join('')
    }

    it('stand newest first, or by first seen, or by count', async () => {
      expect(await named({})).toBe('1243')
      expect(await named({ sort: 'firstSeen' })).toBe('1234')
      expect(await named({ sort: 'count' })).toBe('2314')
    })

    it('are found by time, environment, service and anchor', async () => {
      expect(await named({ fromUs: NOW_US - 2 })).toBe('12')
      expect(await named({ fromUs: NOW_US - 1 })).toBe('1')
      expect(await named({ toUs: NOW_US - 1 })).toBe('243')
      expect(await named({ fromUs: NOW_US - 2 * DAY_US, toUs: NOW_US - DAY_US })).toBe('43')
      expect(await named({ environment: 'staging' })).toBe('4')
      expect(await named({ environment: 'Staging' })).toBe('')
      expect(await named({ service: 'pay' })).toBe('1')
      expect(await named({ anchoredFromUs: NOW_US - DAY_US, anchoredToUs: NOW_US - 1 })).toBe('24')
    })

    it('are found by words of the stack and of both messages, as old rows are after an upgrade', async () => {
      const stack =
        'Error: no\n    at Ledger.settle (/srv/src/Ledger.ts:7:3)\n    at next (/srv/node_modules/x_y/i.js:1:1)'
      const sample = { logId: 'log_9', message: 'Checkout of cart 9', environmentDefaulted: false }
      const error = { type: 'Error', message: 'gateway 100% away', stack }
      const plain = group({ fingerprint: '00000000000000a9', atUs: NOW_US - 5, environment: 'stacked' })
      await record({ ...plain, sample: { ...sample, error } })
      const words = [
        ['ledger.SETTLE'],
        ['ledger.ts:7'],
        ['x_y/i.js'],
        ['checkout', '9'],
        ['100%', 'away'],
        ['settle', 'cart'],
      ]
      const missed = [['ledger_settle'], ['x%y'], ['checkout', 'elsewhere'], ['environmentdefaulted'], ['log_9']]
      const found = async (some: string[]) =>
        (await control.analyses.list(projectId, { ...NEWEST, words: some, environment: 'stacked' }, NOW_US)).length
      for (const some of words) expect(await found(some), some.join(' ')).toBe(1)
      for (const some of missed) expect(await found(some), some.join(' ')).toBe(0)
      const { db } = await backend.openBare()
      const before = await db
        .selectFrom('analysis_samples')
        .select('search_text')
        .where('log_id', '=', 'log_9')
        .execute()
      await db.updateTable('analysis_samples').set({ search_text: 'old' }).where('log_id', '=', 'log_9').execute()
      expect(await found(['settle'])).toBe(0)
      await db.transaction().execute((transaction) => searchStacks(transaction))
      expect(
        await db.selectFrom('analysis_samples').select('search_text').where('log_id', '=', 'log_9').execute(),
      ).toEqual(before)
      await expect(found(['a\0b'])).rejects.toMatchObject({ code: 'invalid_request' })
    })

    it('are found by words in title, type, message and place, whatever their case', async () => {
      expect(await named({ words: ['CARD', 'refused'] })).toBe('1')
      expect(await named({ words: ['card', 'cpu'] })).toBe('')
      expect(await named({ words: ['über'] })).toBe('2')
      expect(await named({ words: ['IT FAILED 0000000000000003'] })).toBe('3')
      expect(await named({ words: ['error'] })).toBe('1243')
    })

    it('take the signs of a pattern for themselves', async () => {
      expect(await named({ words: ['100%', 'cpu_load!'] })).toBe('2')
      expect(await named({ words: ['c_rd'] })).toBe('')
      expect(await named({ words: ['%'] })).toBe('2')
    })

    it('have the state that the clock gives them', async () => {
      expect(await named({ state: 'new' })).toBe('12')
      expect(await named({ state: 'ongoing' })).toBe('3')
      expect(await named({ state: 'regressed' })).toBe('4')
      const [first] = await control.analyses.list(projectId, NEWEST, NOW_US)
      await control.analyses.setStatuses(projectId, [first?.id ?? ''], 'resolved', change)
      expect(await named({ state: 'resolved' })).toBe('1')
      const counted = (nowUs: number, filter = {}) =>
        control.analyses.countByState(projectId, { ...NEWEST, ...filter }, nowUs)
      expect(await counted(NOW_US)).toEqual({ new: 1, ongoing: 1, regressed: 1, resolved: 1, ignored: 0 })
      expect(await counted(NOW_US, { state: 'new', environment: 'staging' })).toMatchObject({ new: 0, regressed: 1 })
      for (const nowUs of [NOW_US + NEW_FOR_US - 3, NOW_US + NEW_FOR_US - 2, NOW_US + QUIET_WINDOW_US]) {
        const all = await control.analyses.list(projectId, NEWEST, nowUs)
        const expected = { new: 0, ongoing: 0, regressed: 0, resolved: 0, ignored: 0 }
        for (const one of all) expected[stateOf(one, nowUs)]++
        expect(await counted(nowUs)).toEqual(expected)
      }
    })

    it.each(['lastSeen', 'firstSeen', 'count'] as const)('come page by page by %s, each once', async (sort) => {
      await record(...Array.from({ length: 6 }, (_, n) => group({ fingerprint: `00000000000000f${n}`, atUs: NOW_US })))
      const whole = await control.analyses.list(projectId, { ...NEWEST, sort }, NOW_US)
      const pages: string[] = []
      for (let after: { value: number; id: string } | undefined; ; ) {
        const page = await control.analyses.list(projectId, { limit: 3, sort, after }, NOW_US)
        pages.push(...page.map(({ id }) => id))
        const last = page.at(-1)
        if (!last) break
        const value = { lastSeen: last.lastSeenUs, firstSeen: last.firstSeenUs, count: last.count }[sort]
        after = { value, id: last.id }
      }
      expect(pages).toEqual(whole.map(({ id }) => id))
    })
  })
})
