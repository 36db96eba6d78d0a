/**
 * What ran when each of some analyses began, and what caused it. Lists and details of every door ask this one function,
 * so no two of them can say different things.
 */

import type { CorrelatedDeploy } from '@tidemark/wire/analyses/analysis'
import type { Activity, CourseView, LikelyCause, Standout, SuspectView } from '@tidemark/wire/analyses/cause'
import type { CauseFacts } from '../../analysis/cause/cause-facts.ts'
import { type Correlation, INFERRED_WARNING } from '../../analysis/cause/correlation.ts'
import { endOf } from '../../analysis/cause/error-end.ts'
import { type Explanation, explain, type RankedCause } from '../../analysis/cause/likely-cause.ts'
import type { Rates } from '../../analysis/cause/rates.ts'
import { kindsOf } from '../../analysis/group/records-query.ts'
import { atMost } from '../../at-most.ts'
import type { Analysis } from '../../model/analysis.ts'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { ASKED_AT_ONCE, type ReadingParts } from '../reading/reading-parts.ts'
import { alsoDeployedTo } from './also-deployed.ts'
import { courseView, standoutViews, suspectViews } from './cause-views.ts'
import { createCorrelator } from './correlate-deploy.ts'
import { type FactsFromRecords, noFactsFromRecords, readFactsFromRecords } from './facts-from-records.ts'
import { type FactsWithoutRecords, readFactsWithoutRecords } from './facts-without-records.ts'
import { type Courses, plainCourse, readCourses } from './read-courses.ts'

type ExplainQuestion = {
  project: ProjectWithSettings
  rules: readonly RuleEffect[]
  nowUs: number
  signal: AbortSignal | undefined
  /** Where they were read already; null when the log store did not answer then. */
  courses?: Courses | null
}

export type ExplainedAnalysis = Pick<FactsWithoutRecords, 'correlation' | 'failedDeploys'> & {
  rates: Rates | null
  course: CourseView
  activity: Activity
  likelyCause: LikelyCause
  /** The likely cause, where one is known, and its rivals, with what they were weighed by. */
  weighed: readonly RankedCause[]
  onsetUs: number
  suspects: SuspectView[]
  suspectsReason: string | null
  standouts: Standout[]
  /** As every door shows it: `correlatedDeploy` and, when there is none, why. */
  view: { correlatedDeploy: CorrelatedDeploy | null; correlatedDeployReason: string | null }
}

type ExplainedAnalyses = {
  /** Takes one of the objects that were given, not a copy: the same analysis may be given twice, with different episodes. */
  of(analysis: Analysis): ExplainedAnalysis
  /** The log store did not answer, so the evidence comes from times, deploys and commits alone. */
  isIncomplete: boolean
}

export async function explainAnalyses(
  parts: ReadingParts,
  analyses: readonly Analysis[],
  { project, rules, nowUs, signal, ...known }: ExplainQuestion,
): Promise<ExplainedAnalyses> {
  const logs = parts.logStore.project(project.id)
  const asked = analyses.map((analysis) => ({ analysis, kinds: kindsOf(analysis, rules) }))
  const courses =
    known.courses === undefined
      ? await readCourses(logs, { subjects: asked, nowUs, retention: project, signal })
      : known.courses
  const correlator = createCorrelator(parts, project.id)
  const place = atMost(ASKED_AT_ONCE)
  const subjects = await Promise.all(
    asked.map(({ analysis, kinds }) =>
      place(async () => {
        const course = courses?.get(analysis) ?? plainCourse(analysis, nowUs)
        return { kinds, ...(await readFactsWithoutRecords(parts, analysis, { course, correlator, nowUs })) }
      }),
    ),
  )
  const records = courses && (await readFactsFromRecords(logs, subjects, { nowUs, retention: project, signal }))
  const deployed = alsoDeployedTo(parts.control.deploys, project.id)
  const explained = await Promise.all(
    subjects.map(async (known): Promise<[Analysis, ExplainedAnalysis]> => {
      const read = records?.get(known.analysis) ?? noFactsFromRecords(known)
      const places = read.elsewhere.map(({ environment }) => environment)
      const also = await Promise.all(known.candidates.map(({ deploy }) => deployed(deploy.sha, places)))
      return [known.analysis, explainOne(known, read, also, rules)]
    }),
  )
  const found = new Map(explained)
  return { of: (analysis) => found.get(analysis)!, isIncomplete: records === null }
}

function explainOne(
  known: FactsWithoutRecords,
  read: FactsFromRecords,
  also: readonly string[][],
  rules: readonly RuleEffect[],
): ExplainedAnalysis {
  const { analysis, correlation, failedDeploys, course, commits } = known
  const facts = factsOf(known, read, also)
  const explanation = explain(facts)
  const suspects = [...commits.deploys.flatMap((one) => one.suspects), ...(commits.inferred?.suspects ?? [])]
  const views = suspectViews(
    suspects.toSorted((one, other) => other.score - one.score),
    explanation.likelyCause,
  )
  return {
    correlation,
    failedDeploys,
    rates: read.rates,
    course: courseView(course, facts.end),
    activity: course.isQuiet ? 'quiet' : 'active',
    likelyCause: explanation.likelyCause,
    weighed: explanation.weighed,
    onsetUs: course.onsetUs,
    suspects: views,
    suspectsReason: views.length > 0 ? null : commits.reason,
    standouts: standoutViews(read.standouts, read.isSampled, analysis, rules),
    view: viewOf(analysis, correlation, explanation),
  }
}

function factsOf(known: FactsWithoutRecords, read: FactsFromRecords, also: readonly string[][]): CauseFacts {
  const { analysis, correlation, candidates, commits, course, ended, trouble, alongside } = known
  return {
    environment: analysis.environment,
    environmentDefaulted: analysis.sample.environmentDefaulted,
    service: analysis.service,
    firstSeenUs: analysis.firstSeenUs,
    course,
    end: endOf(course, ended, read.wellAfterEnd),
    trouble,
    deploys: candidates.map(({ deploy, place, isRollback }, at) => ({
      deploy,
      place,
      isRollback,
      ...commits.deploys[at]!,
      opportunities: read.opportunities[at] ?? null,
      alsoDeployedTo: also[at] ?? [],
    })),
    correlatedId: correlation.source === 'recorded' ? correlation.deploy.id : null,
    commit:
      correlation.source === 'inferred'
        ? { commit: correlation.commit, ...(commits.inferred ?? { suspects: [], looked: null }) }
        : null,
    errorReleases: read.errorReleases,
    otherReleases: read.otherReleases,
    elsewhere: read.elsewhere,
    alongside,
    standouts: read.standouts,
    configuration: read.configuration,
    load: read.load,
    operation: read.operation,
    sinceOnset: read.sinceOnset,
    hasRecordsBefore: read.hasRecordsBefore,
  }
}

function viewOf(
  { environment }: Analysis,
  correlation: Correlation,
  { correlated }: Explanation,
): ExplainedAnalysis['view'] {
  if (correlation.source === null) return { correlatedDeploy: null, correlatedDeployReason: correlation.reason }
  const revision = revisionOf(correlation)
  const correlatedDeploy = {
    source: correlation.source,
    deployId: revision.deployId,
    sha: revision.sha,
    ref: revision.ref,
    environment,
    deployedAt: revision.deployedAt,
    committedAt: revision.committedAt,
    elapsedSeconds: correlation.elapsedUs / 1e6,
    ...correlated,
    warning: correlation.source === 'inferred' ? INFERRED_WARNING : null,
    message: revision.message,
    author: revision.author,
    url: revision.url,
  }
  return { correlatedDeploy, correlatedDeployReason: null }
}

function revisionOf(correlation: Exclude<Correlation, { source: null }>) {
  if (correlation.source === 'recorded') {
    const { id, sha, ref, deployedAtUs, message, author, url } = correlation.deploy
    const deployedAt = formatRfc3339(deployedAtUs)
    return { deployId: id, sha, ref, deployedAt, committedAt: null, message, author, url }
  }
  const { sha, branch, committedAtUs, subject, author } = correlation.commit
  const committedAt = formatRfc3339(committedAtUs)
  return { deployId: null, sha, ref: branch, deployedAt: null, committedAt, message: subject, author, url: null }
}
