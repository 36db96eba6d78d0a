/** How the current episodes of some analyses went: one question for all of them, and a closer look where one grew. */

import type { Retention } from '@tidemark/wire/retention'
import { MINUTE_US } from '@tidemark/wire/time/units'
import { type Course, clearestRise, courseOf } from '../../analysis/cause/error-course.ts'
import { sum } from '../../analysis/slices.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { BucketedSpan } from '../../logstore/questions.ts'
import { type Analysis, currentEpisode } from '../../model/analysis.ts'
import type { ErrorKind } from '../../model/grouping-rule.ts'
import { errorsKeptSinceUs, kept } from '../../model/retention.ts'
import { COURSE_US } from './onset-windows.ts'
import { unlessAway } from './unless-away.ts'

const BUCKETS = 240

type CourseQuestion = {
  subjects: readonly { analysis: Analysis; kinds: readonly ErrorKind[] }[]
  nowUs: number
  retention: Retention
  signal: AbortSignal | undefined
}

/** An analysis may be asked about twice, with other episodes, so it is found as it was given. */
export type Courses = ReadonlyMap<Analysis, Course>

/** Null when the log store did not answer. */
export async function readCourses(
  logs: Pick<ProjectLogs, 'errorBuckets'>,
  { subjects, nowUs, retention, signal }: CourseQuestion,
): Promise<Courses | null> {
  const asked = subjects.flatMap(({ analysis, kinds }) => {
    const span = spanOf(analysis, kinds, errorsKeptSinceUs(retention, analysis.environment, nowUs / 1_000))
    return span === null ? [] : [{ analysis, span }]
  })
  if (asked.length === 0) return new Map()
  const found = await unlessAway(
    logs.errorBuckets(
      asked.map(({ span }) => span),
      signal,
    ),
    signal,
  )
  if (found === null) return null
  const courses = asked.map(({ analysis, span }, at) => {
    const counts = filled(span, found[at] ?? [])
    const course = courseOf({
      anchorUs: span.range.fromUs,
      lastUs: currentEpisode(analysis).lastSeenUs,
      nowUs,
      series: { fromUs: span.range.fromUs, bucketUs: span.bucketUs, counts },
    })
    return { analysis, span, counts, course }
  })
  const grown = courses.filter(({ course, span }) => course.basePerHour > 0 && span.bucketUs > MINUTE_US)
  const closer = await closerCourses(logs, grown, signal)
  return new Map(
    courses.map(({ analysis, course }) => {
      const found = closer.get(analysis) ?? course
      return [analysis, course.basePerHour > 0 ? found : { ...course, onsetUs: currentEpisode(analysis).anchorUs }]
    }),
  )
}

/** What is known without records: an episode from its first error to its last. */
export function plainCourse(analysis: Analysis, nowUs: number): Course {
  const { anchorUs, lastSeenUs, count } = currentEpisode(analysis)
  const bucketUs = Math.max(MINUTE_US, lastSeenUs + 1 - anchorUs)
  return courseOf({ anchorUs, lastUs: lastSeenUs, nowUs, series: { fromUs: anchorUs, bucketUs, counts: [count] } })
}

function spanOf(analysis: Analysis, kinds: readonly ErrorKind[], oldestUs: number): BucketedSpan | null {
  const { anchorUs, lastSeenUs } = currentEpisode(analysis)
  const range = kept({ fromUs: Math.max(anchorUs, lastSeenUs - COURSE_US), toUs: lastSeenUs + 1 }, oldestUs)
  // One error has no course to look at.
  if (range === null || kinds.length === 0 || anchorUs === lastSeenUs) return null
  const bucketUs = Math.ceil((range.toUs - range.fromUs) / BUCKETS / MINUTE_US) * MINUTE_US
  return { range, kinds, environment: analysis.environment, bucketUs }
}

function filled({ range, bucketUs }: BucketedSpan, buckets: readonly { at: number; count: number }[]): number[] {
  const counts = new Array<number>(Math.ceil((range.toUs - range.fromUs) / bucketUs)).fill(0)
  for (const { at, count } of buckets) counts[at] = count
  return counts
}

type Grown = { analysis: Analysis; span: BucketedSpan; counts: readonly number[]; course: Course }

/** Where exactly it rose and fell back: deploys are minutes apart. What goes on is only looked at where it rose. */
async function closerCourses(
  logs: Pick<ProjectLogs, 'errorBuckets'>,
  grown: readonly Grown[],
  signal: AbortSignal | undefined,
): Promise<Courses> {
  if (grown.length === 0) return new Map()
  const spans = grown.map(({ span, course: { onsetUs, untilUs, lastUs } }) => {
    const fromUs = Math.max(span.range.fromUs, onsetUs - span.bucketUs)
    const endUs = untilUs < lastUs ? untilUs : onsetUs
    const range = { fromUs, toUs: Math.min(span.range.toUs, endUs + span.bucketUs) }
    return { ...span, range, bucketUs: Math.max(MINUTE_US, Math.ceil((range.toUs - fromUs) / BUCKETS)) }
  })
  const found = await unlessAway(logs.errorBuckets(spans, signal), signal)
  return new Map(
    grown.flatMap((one, at) => {
      const closer = closerCourse(one, spans[at]!, filled(spans[at]!, found?.[at] ?? []))
      return closer === null ? [] : [[one.analysis, closer]]
    }),
  )
}

function closerCourse(
  { span, counts, course }: Grown,
  { range, bucketUs }: BucketedSpan,
  near: readonly number[],
): Course | null {
  const rise = clearestRise(near, 1)
  if (rise === null) return null
  const onsetUs = range.fromUs + rise.at * bucketUs
  if (course.untilUs < course.lastUs) {
    const risen = near.slice(rise.at, rise.to)
    const highest = Math.max(...risen)
    const peak = { atUs: onsetUs + risen.indexOf(highest) * bucketUs, count: highest, spanUs: bucketUs }
    return { ...course, onsetUs, untilUs: range.fromUs + rise.to * bucketUs - 1, count: sum(risen), peak }
  }
  // The closer look ends with a bucket of the wider one, which counts what follows.
  const rest = counts.slice(Math.ceil((range.toUs - span.range.fromUs) / span.bucketUs))
  const { peak } = course
  const earlyUs = Math.max(0, onsetUs - peak.atUs)
  const early = earlyUs === 0 ? 0 : sum(near.slice(Math.round((peak.atUs - range.fromUs) / bucketUs), rise.at))
  return {
    ...course,
    onsetUs,
    count: sum(near.slice(rise.at)) + sum(rest),
    peak: { atUs: peak.atUs + earlyUs, count: peak.count - early, spanUs: peak.spanUs - earlyUs },
  }
}
