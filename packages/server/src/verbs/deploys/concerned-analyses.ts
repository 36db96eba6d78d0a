/**
 * The analyses that began near some deploys, timed and explained, for the verdicts and for the list of what a deploy
 * introduced: both say the same.
 */

import type { LiveDeploy } from '../../analysis/verdict/deploy-concern.ts'
import type { Analysis } from '../../model/analysis.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { explainAnalyses } from '../causes/explain-analyses.ts'
import { plainCourse, readCourses } from '../causes/read-courses.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { begunOf, type Concerned } from './deploy-analyses.ts'
import { liveDeploy, nearOf, readSubjects } from './deploy-episodes.ts'

type Question = {
  live: readonly LiveDeploy[]
  isWanted: (analysis: Analysis) => boolean
  signal: AbortSignal | undefined
}

/** In the order of the deploys. `isAway`: the log store did not answer. `isCut`: more were seen than are looked at. */
export async function readConcerned(
  parts: ReadingParts,
  project: ProjectWithSettings,
  { live, isWanted, signal }: Question,
): Promise<{ known: Concerned[]; isAway: boolean; isCut: boolean }> {
  const nowUs = parts.now() * 1_000
  const rules = await parts.control.groupingRules.list(project.id)
  const { subjects, isCut } = await readSubjects(parts.control.analyses, project.id, { live, rules, nowUs, isWanted })
  const courses = await readCourses(parts.logStore.project(project.id), { subjects, nowUs, retention: project, signal })
  const timed = subjects.map((one) => ({
    ...one,
    course: courses?.get(one.analysis) ?? plainCourse(one.analysis, nowUs),
  }))
  const near = live.map((one) => nearOf(one, timed, nowUs))
  const asked = [...new Set(near.flatMap(({ explained }) => explained.map(({ analysis }) => analysis)))]
  const explanations = await explainAnalyses(parts, asked, { project, rules, nowUs, signal, courses })
  const known = live.map((one, at) => {
    const { explained, rest, all } = near[at]!
    const told = explained.map((episode) => ({ ...episode, explanation: explanations.of(episode.analysis) }))
    return { ...one, told, rest, all, nowUs }
  })
  return { known, isAway: courses === null || explanations.isIncomplete, isCut }
}

/** Every analysis that began with a deploy that went live, also one that was ignored since. */
export async function begunWith(
  parts: ReadingParts,
  project: ProjectWithSettings,
  deploy: Deploy,
  signal: AbortSignal | undefined,
): Promise<{ ids: string[]; isCut: boolean }> {
  const live = [await liveDeploy(parts.control.deploys, deploy)]
  const { known, isCut } = await readConcerned(parts, project, { live, isWanted: () => true, signal })
  return { ids: [...new Set(known.flatMap(begunOf).map(({ id }) => id))], isCut }
}
