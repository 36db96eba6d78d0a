/**
 * What changed before a moment, or before the errors of an analysis, as one list, the best first. Around an analysis the order is
 * that of its likely cause and its rivals: both come from the same explanation, so they cannot disagree.
 */

import { type BriefCause, inBrief } from '@tidemark/wire/analyses/cause'
import { environmentOf } from '@tidemark/wire/query/environment-of'
import type { ChangesAnswer, ChangesInput, ChangeView } from '@tidemark/wire/reading/changes'
import { DEFAULT_LIMIT, type Warning } from '@tidemark/wire/reading/question'
import { retentionWords } from '@tidemark/wire/retention'
import { counted } from '@tidemark/wire/text/counted'
import { spanWords } from '@tidemark/wire/time/elapsed'
import { RECORDED_AFTER_US } from '../../analysis/cause/thresholds.ts'
import type { Change } from '../../analysis/change/change.ts'
import { type Causes, type RankedChange, rankAroundCause, rankChanges } from '../../analysis/change/rank-changes.ts'
import { environmentQuery } from '../../analysis/group/records-query.ts'
import { awayWords } from '../../analysis/words.ts'
import type { Analysis } from '../../model/analysis.ts'
import type { Caller } from '../../model/caller.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { requireReader } from '../access.ts'
import { explainAnalyses } from '../causes/explain-analyses.ts'
import { unlessAway } from '../causes/unless-away.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { whyEmpty } from '../reading/why-empty.ts'
import { usedWindow } from '../reading/window.ts'
import { askedMoment } from './asked-moment.ts'
import { type ChangeWindow, changeWindow } from './change-window.ts'
import { changesInRecords } from './changes-in-records.ts'
import { analysesBegan, commitChanges, deployChanges, deploysIn } from './changes-made.ts'

const AWAY = awayWords('some of what the records say is missing')

export async function whatChanged(
  parts: ReadingParts,
  caller: Caller,
  input: ChangesInput,
  signal?: AbortSignal,
): Promise<ChangesAnswer> {
  const project = requireReader(caller)
  const nowUs = parts.now() * 1_000
  const asked = await askedMoment(parts, project, input)
  const explained = asked.analysis === null ? null : await explain(parts, project, asked.analysis, signal)
  const atUs = asked.analysis === null ? asked.atUs : (explained?.causes.onsetUs ?? nowUs)
  const window = changeWindow(
    { atUs, lookbackUs: asked.lookbackUs, environment: asked.environment },
    { nowUs, retention: project },
  )
  const gathered = await gather(parts, project, { ...asked, window, nowUs, explained, signal })
  const ranked =
    explained === null ? rankChanges(gathered.changes, atUs) : rankAroundCause(explained.causes, gathered.changes)
  const limit = input.limit ?? DEFAULT_LIMIT
  const isIncomplete = gathered.isIncomplete || explained?.isIncomplete === true
  return {
    at: formatRfc3339(atUs),
    window: usedWindow({ fromUs: window.fromUs, toUs: Math.max(atUs, window.fromUs + 1) }),
    environment: asked.environment,
    likelyCause: explained?.likelyCause ?? null,
    changes: ranked.slice(0, limit).map((one) => viewOf(one, atUs)),
    otherChanges: Math.max(0, ranked.length - limit),
    warnings: [
      ...asked.warnings,
      ...(isIncomplete ? [{ message: AWAY }] : []),
      ...retentionWarning(window, project),
      ...gathered.warnings,
    ],
    empty: ranked.length > 0 ? null : await why(parts, project, { window, environment: asked.environment, signal }),
  }
}

type Explained = {
  causes: Causes
  likelyCause: BriefCause
  isIncomplete: boolean
}

async function explain(
  parts: ReadingParts,
  project: ProjectWithSettings,
  analysis: Analysis,
  signal: AbortSignal | undefined,
): Promise<Explained> {
  const rules = await parts.control.groupingRules.list(project.id)
  const explanations = await explainAnalyses(parts, [analysis], { project, rules, nowUs: parts.now() * 1_000, signal })
  const { likelyCause, weighed, onsetUs } = explanations.of(analysis)
  return {
    causes: { weighed, likelyCause, environment: analysis.environment, onsetUs },
    likelyCause: inBrief(likelyCause),
    isIncomplete: explanations.isIncomplete,
  }
}

type Gathering = {
  window: ChangeWindow
  environment: string | null
  analysis: Analysis | null
  explained: Explained | null
  nowUs: number
  signal: AbortSignal | undefined
}

async function gather(
  parts: ReadingParts,
  project: ProjectWithSettings,
  { window, environment, analysis, explained, nowUs, signal }: Gathering,
): Promise<{ changes: Change[]; warnings: Warning[]; isIncomplete: boolean }> {
  const { fromUs, atUs } = window
  const { control } = parts
  // Some record a deploy when it is done, and its errors come before that.
  const range = { fromUs, toUs: atUs + RECORDED_AFTER_US }
  const { found, warnings } = await deploysIn(control.deploys, project.id, range, environment)
  const older = await weighedDeploys(parts, project, explained, found)
  const placed = [...found, ...older]
  const deploys = placed.map(({ deploy }) => deploy)
  const [ofDeploys, records, errors] = await Promise.all([
    deployChanges(parts, project, placed, { atUs: explained === null ? atUs : null, signal }),
    changesInRecords(parts, project.id, { window, environment, deploys, signal }),
    analysesBegan(control.analyses, project.id, { fromUs, atUs, nowUs }, { environment, except: analysis }),
  ])
  // Where none was asked for, the one with most records.
  const [place] = records.environments
  const commits = place === undefined ? [] : await commitChanges(parts, project.id, place, window)
  const leftOut = `There are records of ${counted(records.leftOut, 'more environment')}, whose services and settings were not looked at: name an environment.`
  return {
    changes: [...ofDeploys.changes, ...commits, ...errors, ...withoutTold(records.changes, errors)],
    warnings: [
      ...warnings,
      ...(records.isIncomplete ? [] : ofDeploys.warnings),
      ...(records.leftOut > 0 ? [{ message: leftOut }] : []),
    ],
    isIncomplete: records.isIncomplete,
  }
}

/** The correlated deploy is weighed however old it is. */
async function weighedDeploys(
  { control }: ReadingParts,
  project: ProjectWithSettings,
  explained: Explained | null,
  found: readonly { deploy: { id: string } }[],
) {
  const known = new Set(found.map(({ deploy }) => deploy.id))
  const ids = (explained?.causes.weighed ?? []).flatMap(({ deployId }) => deployId ?? []).filter((id) => !known.has(id))
  const deploys = await Promise.all(ids.map((id) => control.deploys.get(project.id, id)))
  return deploys.filter((deploy) => deploy !== null).map((deploy) => ({ deploy, place: 'same' as const }))
}

/** Errors of a service rose because an analysis of it began: that says more. */
function withoutTold(changes: readonly Change[], errors: readonly Change[]): Change[] {
  return changes.filter(
    ({ kind, service, environment }) =>
      kind !== 'errors' || !errors.some((one) => one.service === service && one.environment === environment),
  )
}

function viewOf({ atUs, strength: _, isTimely: __, ...change }: RankedChange, momentUs: number): ChangeView {
  return { ...change, timestamp: formatRfc3339(atUs), elapsedSeconds: (momentUs - atUs) / 1e6 }
}

function retentionWarning({ records, base }: ChangeWindow, project: ProjectWithSettings): Warning[] {
  if (base !== null) return []
  const days = `Records are kept for ${retentionWords(project)}`
  const message =
    records === null
      ? `${days}, so of this time only deploys, commits and analyses are known.`
      : `${days}, so there is nothing to compare those of this window with: only deploys, commits and analyses are listed.`
  return [{ message }]
}

async function why(
  { logStore, publicUrl }: ReadingParts,
  { id }: ProjectWithSettings,
  { window, environment, signal }: Pick<Gathering, 'window' | 'environment' | 'signal'>,
): Promise<string> {
  const nothing = `Nothing is known to have changed in ${spanWords(window.atUs - window.fromUs)} before: no deploy was recorded, and the records say what they said before. A longer lookback looks further back.`
  if (window.records === null || environment === null) return nothing
  const query = environmentQuery(environment)
  const logs = logStore.project(id)
  const inWindow = await unlessAway(logs.total({ range: window.records, filter: query, signal }), signal)
  if (inWindow !== 0) return nothing
  const emptiness = {
    range: window.records,
    query,
    environments: environmentOf(query),
    publicUrl,
    signal,
  }
  const reason = await unlessAway(whyEmpty(logs, emptiness), signal)
  return `No deploy was recorded, and there are no records.${reason === null ? '' : ` ${reason}`}`
}
