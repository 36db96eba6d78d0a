import { MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { Analysis } from '../../model/analysis.ts'
import { readCourses } from './read-courses.ts'

const FROM_US = Date.UTC(2026, 0, 1) * 1_000

/** Errors at these minutes, and now a few minutes after the last. */
async function courseOf(minutes: readonly number[]) {
  const times = minutes.map((minute) => FROM_US + minute * MINUTE_US)
  const episode = { anchorUs: times[0]!, lastSeenUs: times.at(-1)!, count: times.length }
  const analysis = { id: 'ana_1', environment: 'production', episodes: [episode] } as unknown as Analysis
  const logs: Pick<ProjectLogs, 'errorBuckets'> = {
    errorBuckets: async (spans) =>
      spans.map(({ range, bucketUs }) => {
        const counts = new Map<number, number>()
        for (const timeUs of times) {
          const at = Math.floor((timeUs - range.fromUs) / bucketUs)
          if (timeUs >= range.fromUs && timeUs < range.toUs) counts.set(at, (counts.get(at) ?? 0) + 1)
        }
        return [...counts].map(([at, count]) => ({ at, count }))
      }),
  }
  const subjects = [{ analysis, kinds: [{ fingerprint: 'a', split: null }] }]
  const nowUs = times.at(-1)! + 5 * MINUTE_US
  const course = (await readCourses(logs, {
    subjects,
    nowUs,
    retention: { retentionDays: 3_650 },
    signal: undefined,
  }))!.get(analysis)!
  const inside = times.filter((timeUs) => timeUs >= course.onsetUs && timeUs <= course.untilUs)
  return { course, inside: inside.length, at: (us: number) => (us - FROM_US) / MINUTE_US }
}

const hourly = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => (from + at) * 60)
const twiceAMinute = (from: number, to: number) => Array.from({ length: 2 * (to - from) }, (_, at) => from + at / 2)

describe('the course of an error that trickled and then grew', () => {
  it('counts the errors and the peak of the rise it found by the closer look, not of the hours around it', async () => {
    const burst = twiceAMinute(200 * 60 + 25, 200 * 60 + 45)
    const { course, inside, at } = await courseOf([...hourly(0, 201), ...burst, ...hourly(201, 240)])
    expect([at(course.onsetUs), at(course.untilUs)]).toEqual([200 * 60 + 25, expect.closeTo(200 * 60 + 45, 0)])
    expect([course.count, inside]).toEqual([burst.length, burst.length])
    expect(course.peak).toMatchObject({ atUs: course.onsetUs, spanUs: MINUTE_US, count: 2 })
  })

  it('counts from where it rose while it goes on', async () => {
    const rise = twiceAMinute(200 * 60 + 25, 220 * 60)
    const { course, inside, at } = await courseOf([...hourly(0, 201), ...rise])
    expect(at(course.onsetUs)).toBe(200 * 60 + 25)
    expect([course.count, inside]).toEqual([rise.length, rise.length])
    expect(course.peak).toMatchObject({ spanUs: 55 * MINUTE_US, count: 110 })
    expect(course.peak.atUs).toBeGreaterThanOrEqual(course.onsetUs)
  })

  it('has no errors in its peak that came before it rose', async () => {
    const start = twiceAMinute(200 * 60 + 25, 200 * 60 + 45).flatMap((minute) => [minute, minute, minute])
    const { course, inside, at } = await courseOf([
      ...hourly(0, 201),
      ...start,
      ...twiceAMinute(200 * 60 + 45, 240 * 60),
    ])
    expect([at(course.onsetUs), course.count]).toEqual([200 * 60 + 25, inside])
    expect(course.peak).toEqual({ atUs: course.onsetUs, spanUs: 35 * MINUTE_US, count: start.length + 30 })
  })
})
