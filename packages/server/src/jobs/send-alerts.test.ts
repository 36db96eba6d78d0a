import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SETTLE_MS } from '../alerts/delivery-rules.ts'
import type { Control } from '../control/open.ts'
import type { ProjectWithSettings } from '../model/project.ts'
import {
  addChannel,
  addRule,
  alertProject,
  type Clock,
  fail,
  type Sent,
  testClock,
  testSender,
} from '../testing/alerts.ts'
import { controlBackends } from '../testing/control.ts'

const DOWN = {
  isDelivered: false,
  answer:
    'The message to hook.example was not delivered: the connection was refused. Check the address of the channel.',
  retryAfterMs: null,
}
const START_MS = Date.UTC(2026, 5, 1, 12)

for (const backend of controlBackends()) {
  describe.skipIf(backend.unavailable !== undefined)(`alerts on ${backend.name}`, () => {
    let control: Control
    let other: Control
    let project: ProjectWithSettings
    let clock: Clock
    let made = 0
    beforeAll(async () => {
      control = await backend.open()
      other = await backend.open()
    })
    afterAll(() => backend.close())
    beforeEach(async () => {
      made += 1
      // Each test is a month later, so that nothing of another one is due.
      clock = testClock(START_MS + made * 60 * DAY_MS)
      project = await alertProject(control, `Alerts ${made}`)
    })

    /** Sees this test's project only. */
    const mine = (tried: readonly Sent[], channel = 'ops') =>
      tried.filter((sent) => sent.channel === `${channel} ${made}`)
    const channelNamed = (name = 'ops', some: Parameters<typeof addChannel>[2] = {}) =>
      addChannel(control, project.id, { name: `${name} ${made}`, ...some })
    const rule = (channelIds: string[], some: Parameters<typeof addRule>[2] = {}) =>
      addRule(control, project.id, { channelIds, ...some })
    const failed = (kind: number, some = {}) =>
      fail(control, project.id, { kind: made * 100_000 + kind, clock, ...some })
    const deliveries = () => control.alertDeliveries.list(project.id, { limit: 50, before: undefined })

    it('tell of a new analysis once, however often its error comes again', async () => {
      const { id } = await channelNamed()
      await rule([id])
      const { sender, tried } = testSender(control, clock)
      for (let at = 0; at < 5; at += 1) {
        await failed(1)
        clock.pass(SETTLE_MS)
        await sender.runOnce()
      }
      expect(mine(tried)).toHaveLength(1)
      expect(await deliveries()).toMatchObject([{ state: 'sent', attempts: 1, told: 1, nextTryAt: null }])
    })

    it('tell of an analysis that is back after it was resolved, as another episode', async () => {
      const { id } = await channelNamed()
      await rule([id])
      const { sender, tried } = testSender(control, clock)
      await failed(1)
      clock.pass(SETTLE_MS)
      await sender.runOnce()
      const [analysis] = await control.analyses.list(
        project.id,
        { sort: 'lastSeen', limit: 1 } as never,
        clock.nowMs * 1_000,
      )
      await control.analyses.setStatuses(project.id, [analysis!.id], 'resolved', { by: 'operator', nowMs: clock.nowMs })
      clock.pass(MINUTE_MS)
      await failed(1)
      await failed(1)
      clock.pass(SETTLE_MS)
      await sender.runOnce()
      expect(mine(tried)).toHaveLength(2)
    })

    it('are not made of old records that come late, nor of what is ignored', async () => {
      const { id } = await channelNamed()
      await rule([id])
      await failed(1, { atUs: (clock.nowMs - 3 * DAY_MS) * 1_000 })
      await control.groupingRules.add(project.id, { kind: 'ignore', type: 'Boring' }, { by: 'operator', nowMs: 0 })
      await failed(2, { type: 'Boring' })
      const { sender, tried } = testSender(control, clock)
      clock.pass(SETTLE_MS)
      await sender.runOnce()
      expect(mine(tried)).toEqual([])
    })

    it('are narrowed by environment and service, and not made by a rule that is off', async () => {
      const [all, staging, web, off] = await Promise.all(
        ['all', 'staging', 'web', 'off'].map((name) => channelNamed(name)),
      )
      await rule([all!.id], { name: 'all' })
      await rule([staging!.id], { name: 'staging', environment: 'staging' })
      await rule([web!.id], { name: 'web', service: 'web' })
      await rule([off!.id], { name: 'off', isOn: false })
      await failed(1, { environment: 'staging', service: 'web' })
      await failed(2, { environment: 'production', service: 'web' })
      await failed(3, { environment: 'production', service: 'api' })
      const { sender, tried } = testSender(control, clock)
      clock.pass(SETTLE_MS)
      await sender.runOnce()
      expect(['all', 'staging', 'web', 'off'].map((name) => mine(tried, name).length)).toEqual([3, 1, 2, 0])
    })

    it('come once to a channel that several rules name', async () => {
      const { id } = await channelNamed()
      for (const name of ['one', 'two', 'three']) await rule([id], { name })
      await failed(1)
      const { sender, tried } = testSender(control, clock)
      clock.pass(SETTLE_MS)
      await sender.runOnce()
      expect(mine(tried)).toHaveLength(1)
    })

    it('each arrive once when the receiver was down for ten minutes', async () => {
      const { id } = await channelNamed()
      await rule([id])
      const upAtMs = clock.nowMs + 10 * MINUTE_MS
      const taken: Sent[] = []
      const { sender, tried } = testSender(control, clock, (sent) => {
        if (sent.atMs < upAtMs) return DOWN
        taken.push(sent)
        return { isDelivered: true, answer: 'Answered 200.', retryAfterMs: null }
      })
      for (let second = 0; second < 30 * 60; second += 30) {
        if (second === 0 || second === 60 || second === 300) await failed(second)
        await sender.runOnce()
        clock.pass(30 * SECOND_MS)
      }
      expect(mine(taken).map(({ titles }) => titles.length)).toEqual([1, 1, 1])
      expect(new Set(mine(taken).map(({ id }) => id)).size).toBe(3)
      expect(new Set(mine(tried).map(({ id }) => id)).size).toBe(3)
      expect((await deliveries()).every(({ state, attempts }) => state === 'sent' && attempts > 1)).toBe(true)
    })

    it('are tried for at least a day, with growing pauses, then given up, and the log says so', async () => {
      const { id } = await channelNamed()
      await rule([id])
      await failed(1)
      const { sender, tried } = testSender(control, clock, () => DOWN)
      clock.pass(SETTLE_MS)
      const beganMs = clock.nowMs
      for (const stepMs of [...Array(20).fill(MINUTE_MS), ...Array(160).fill(10 * MINUTE_MS)]) {
        await sender.runOnce()
        clock.pass(stepMs)
      }
      const times = mine(tried).map(({ atMs }) => atMs - beganMs)
      expect(times.at(-1)).toBeGreaterThanOrEqual(DAY_MS)
      expect(times.slice(0, 5).map((ms) => ms / MINUTE_MS)).toEqual([0, 1, 2, 4, 8])
      expect(Math.max(...times.slice(1).map((ms, at) => ms - times[at]!))).toBeLessThanOrEqual(
        2 * HOUR_MS + 10 * MINUTE_MS,
      )
      expect(await deliveries()).toMatchObject([{ state: 'given_up', lastAnswer: DOWN.answer, nextTryAt: null }])
    })

    it('wait as long as a receiver asks, up to an hour', async () => {
      const { id } = await channelNamed()
      await rule([id])
      await failed(1)
      const busy = { isDelivered: false, answer: 'Answered 429.', retryAfterMs: 10 * MINUTE_MS }
      const { sender } = testSender(control, clock, () => busy)
      clock.pass(SETTLE_MS)
      await sender.runOnce()
      const [queued] = await deliveries()
      expect(Date.parse(queued!.nextTryAt!) - clock.nowMs).toBe(10 * MINUTE_MS)
    })

    it('are sent by one of two nodes', async () => {
      const { id } = await channelNamed()
      await rule([id])
      for (let kind = 0; kind < 4; kind += 1) await failed(kind)
      const nodes = [testSender(control, clock), testSender(other, clock)]
      clock.pass(SETTLE_MS)
      await Promise.all(nodes.map(({ sender }) => sender.runOnce()))
      await Promise.all(nodes.map(({ sender }) => sender.runOnce()))
      const ids = nodes.flatMap(({ tried }) => mine(tried)).map((sent) => sent.id)
      expect(ids).toHaveLength(4)
      expect(new Set(ids).size).toBe(4)
    })

    it('outlive a node that is killed between queueing and sending', async () => {
      const { id } = await channelNamed()
      await rule([id])
      await failed(1)
      clock.pass(SETTLE_MS)
      // The first node got as far as claiming it.
      await control.alertQueue.route(100)
      await control.alertQueue.pack(() => 'each', { beforeMs: clock.nowMs, nowMs: clock.nowMs })
      const dead = await control.alertQueue.claim(3 * MINUTE_MS, clock.nowMs)
      expect(dead).not.toBeNull()
      const { sender, tried } = testSender(other, clock)
      await sender.runOnce()
      expect(mine(tried)).toEqual([])
      clock.pass(3 * MINUTE_MS)
      await sender.runOnce()
      await sender.runOnce()
      expect(mine(tried)).toMatchObject([{ id: dead!.id }])
    })

    it('heed no word of a node whose claim has passed to another', async () => {
      const { id } = await channelNamed()
      await rule([id])
      await failed(1)
      clock.pass(SETTLE_MS)
      await control.alertQueue.route(100)
      await control.alertQueue.pack(() => 'each', { beforeMs: clock.nowMs, nowMs: clock.nowMs })
      const slow = await control.alertQueue.claim(MINUTE_MS, clock.nowMs)
      clock.pass(MINUTE_MS)
      const quick = await other.alertQueue.claim(MINUTE_MS, clock.nowMs)
      expect(quick!.id).toBe(slow!.id)
      expect(await control.alertQueue.write(slow!, '{}')).toBe(false)
      expect(await control.alertQueue.finish(slow!, { state: 'given_up', answer: '' }, clock.nowMs)).toBe(false)
      expect(await other.alertQueue.finish(quick!, { state: 'sent', answer: '' }, clock.nowMs)).toBe(true)
      expect(await other.alertQueue.finish(quick!, { state: 'queued', answer: '', nextTryAtMs: 0 }, clock.nowMs)).toBe(
        false,
      )
    })

    it('that were sent but not noted are sent again under the same id', async () => {
      const { id } = await channelNamed()
      await rule([id])
      await failed(1)
      clock.pass(SETTLE_MS)
      let isDying = true
      const { sender, tried } = testSender(control, clock, () => {
        if (isDying) throw new Error('the power went out')
        return { isDelivered: true, answer: '', retryAfterMs: null }
      })
      await sender.runOnce().catch(() => {})
      isDying = false
      clock.pass(3 * MINUTE_MS)
      await sender.runOnce()
      const [first, second, ...more] = mine(tried)
      expect([second?.id, more]).toEqual([first?.id, []])
    })

    it('wait in quiet hours, and then come together', async () => {
      const minute = new Date(clock.nowMs).getUTCHours() * 60
      const quiet = { fromMinute: minute, toMinute: minute + 120, timeZone: 'UTC' }
      const { id } = await channelNamed('ops', { quiet })
      await rule([id])
      const { sender, tried } = testSender(control, clock)
      for (let kind = 0; kind < 3; kind += 1) {
        await failed(kind)
        clock.pass(20 * MINUTE_MS)
        await sender.runOnce()
      }
      expect(mine(tried)).toEqual([])
      expect(await control.alertDeliveries.countWaiting(project.id)).toBe(3)
      clock.pass(60 * MINUTE_MS)
      await sender.runOnce()
      expect(mine(tried)).toMatchObject([{ told: 3, together: 'quiet' }])
    })

    it('that failed before the quiet hours are not tried in them', async () => {
      const minute = new Date(clock.nowMs).getUTCHours() * 60
      const quiet = { fromMinute: minute + 5, toMinute: minute + 60, timeZone: 'UTC' }
      const { id } = await channelNamed('ops', { quiet })
      await rule([id])
      await failed(1)
      const { sender, tried } = testSender(control, clock, ({ atMs }) =>
        atMs < START_MS + made * 60 * DAY_MS + 30 * MINUTE_MS
          ? DOWN
          : { isDelivered: true, answer: '', retryAfterMs: null },
      )
      for (let at = 0; at < 61; at += 1) {
        clock.pass(MINUTE_MS)
        await sender.runOnce()
      }
      const minutes = mine(tried).map(({ atMs }) => (atMs - START_MS - made * 60 * DAY_MS) / MINUTE_MS)
      expect(minutes).toEqual([1, 2, 3, 60])
    })

    it('of a flood are one message, and no more than the limit in an hour', async () => {
      const { id } = await channelNamed('ops', { messagesAnHour: 3 })
      await rule([id])
      const groups = Array.from({ length: 1_500 }, (_, kind) => kind)
      const { errorGroup } = await import('../testing/error-group.ts')
      const segment = {
        segmentId: `seg_flood_${backend.name}`,
        groups: groups.map((kind) =>
          errorGroup(project.id, {
            fingerprint: (made * 100_000 + kind).toString(16).padStart(16, '0'),
            atUs: clock.nowMs * 1_000,
          }),
        ),
      }
      await control.analyses.record([segment], clock.nowMs)
      const { sender, tried } = testSender(control, clock)
      clock.pass(SETTLE_MS)
      await sender.runOnce()
      expect(mine(tried)).toMatchObject([{ told: 1_500, together: 'many' }])
      expect(mine(tried)[0]!.titles).toHaveLength(20)
      for (let step = 0; step < 11; step += 1) {
        await failed(2_000 + step)
        clock.pass(5 * MINUTE_MS)
        await sender.runOnce()
      }
      expect(mine(tried)).toHaveLength(3)
      clock.pass(10 * MINUTE_MS)
      await sender.runOnce()
      expect(
        mine(tried)
          .map(({ told }) => told)
          .reduce((sum, told) => sum + told),
      ).toBe(1_500 + 11)
      expect(mine(tried).length).toBeLessThanOrEqual(5)
    })

    it('are kept apart by project, and go with it', async () => {
      const { id } = await channelNamed()
      await rule([id])
      const stranger = await alertProject(control, `Stranger ${made}`)
      await fail(control, stranger.id, { kind: 9, clock })
      await expect(addRule(control, stranger.id, { channelIds: [id] })).rejects.toMatchObject({
        code: 'invalid_request',
      })
      expect(await control.alertChannels.get(stranger.id, id)).toBeNull()
      expect(await control.alertChannels.change(stranger.id, id, { name: 'x' }, { by: 'x', nowMs: 0 })).toBeNull()
      expect(await control.alertChannels.remove(stranger.id, id, { by: 'x', nowMs: 0 })).toBe(false)
      await failed(1)
      const { sender, tried } = testSender(control, clock)
      clock.pass(SETTLE_MS)
      await control.projects.delete(project.id, { by: 'operator', nowMs: clock.nowMs })
      await sender.runOnce()
      expect(mine(tried)).toEqual([])
      await control.alertDeliveries.purge(project.id)
      expect(await control.alertChannels.list(project.id)).toEqual([])
    })
  })
}
