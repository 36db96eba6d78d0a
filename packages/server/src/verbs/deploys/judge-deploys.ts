/**
 * Whether some deploys did harm. Lists, details and the wait for a verdict all ask this one function, and what it says of
 * a deploy does not depend on which others are asked about. Nothing is kept: a deploy or an error that comes late counts
 * at once.
 */

import { OUTCOME_WORDS } from '@tidemark/wire/deploys/deploy-status'
import type { DeployVerdict } from '@tidemark/wire/deploys/verdict'
import type { Warning } from '@tidemark/wire/reading/question'
import { withCommas } from '@tidemark/wire/text/counted'
import { DAY_US, HOUR_US } from '@tidemark/wire/time/units'
import { countsAgainst, hasOtherCause, wasGrowing } from '../../analysis/verdict/deploy-concern.ts'
import { verdictOf } from '../../analysis/verdict/verdict.ts'
import type { AgainstFacts, RecordFacts, VerdictFacts } from '../../analysis/verdict/verdict-facts.ts'
import { awayWords } from '../../analysis/words.ts'
import { atMost } from '../../at-most.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import { isTelling } from '../../model/analysis.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { comparableSinceUs } from '../../model/retention.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { isRollback } from '../causes/is-rollback.ts'
import { unlessAway } from '../causes/unless-away.ts'
import { ASKED_AT_ONCE, type ReadingParts } from '../reading/reading-parts.ts'
import { nearestEnvironment } from '../reading/why-empty.ts'
import { readConcerned } from './concerned-analyses.ts'
import { againstOf, type Concerned, type DeployLists, listsOf } from './deploy-analyses.ts'
import { liveDeploy, MAX_SEEN, type Timed } from './deploy-episodes.ts'
import { readExplained, readVolumes } from './deploy-records.ts'

const AWAY = awayWords('the verdicts rest on times, deploys and commits alone')
const CUT = `More than ${withCommas(MAX_SEEN)} analyses were seen around these deploys: the verdicts rest on the ${withCommas(MAX_SEEN)} that were seen last.`

/** `against`: what the verdict counts against it. `lists`: all that began or ended with it, as they are shown. */
export type Judgement = { verdict: DeployVerdict; against: readonly AgainstFacts[]; lists: DeployLists }
type Judgements = { of(deploy: Deploy): Judgement; warnings: Warning[] }

export async function judgeDeploys(
  parts: ReadingParts,
  project: ProjectWithSettings,
  deploys: readonly Deploy[],
  signal: AbortSignal | undefined,
): Promise<Judgements> {
  const nowUs = parts.now() * 1_000
  const place = atMost(ASKED_AT_ONCE)
  const succeeded = deploys.filter(({ status }) => status === 'succeeded')
  const live = await Promise.all(succeeded.map((deploy) => place(() => liveDeploy(parts.control.deploys, deploy))))
  const logs = parts.logStore.project(project.id)
  const [concerned, volumes] = await Promise.all([
    readConcerned(parts, project, { live, isWanted: isTelling, signal }),
    readVolumes(logs, live, { nowUs, signal }),
  ])
  const { known, isCut } = concerned
  const unknownIn = await unknownEnvironments(logs, live, { volumes, signal })
  const explained =
    volumes === null ? live.map(() => 0) : await readExplained(logs, withVolumes(known, volumes), signal)
  const isAway = volumes === null || concerned.isAway
  const judged = await Promise.all(
    known.map((one, at) =>
      place(async (): Promise<[string, Judgement]> => {
        const read = volumes?.[at]
        const records = read === undefined || isAway ? 'away' : { ...read, explained: explained[at] ?? 0 }
        const { deployedAtUs, environment } = one.deploy
        const compared = { untilUs: deployedAtUs + DAY_US, environment }
        const comparableUs = comparableSinceUs(project, compared, nowUs / 1_000)
        const isExpired = deployedAtUs - HOUR_US < comparableUs
        const lists = listsOf(one)
        const facts = await factsOf(parts, one, {
          ...{ lists, nowUs, unknownEnvironment: unknownIn(environment) },
          records: isExpired ? 'expired' : records,
        })
        return [one.deploy.id, { verdict: verdictView(facts), against: facts.against, lists }]
      }),
    ),
  )
  const byId = new Map(judged)
  return {
    of: (deploy) => byId.get(deploy.id) ?? neverLive(deploy),
    warnings: [...(isAway && live.length > 0 ? [{ message: AWAY }] : []), ...(isCut ? [{ message: CUT }] : [])],
  }
}

/** Asked only where nothing was logged around a deploy, which is when its environment may be misspelled. */
async function unknownEnvironments(
  logs: ProjectLogs,
  live: readonly { deploy: Deploy }[],
  { volumes, signal }: { volumes: readonly Pick<RecordFacts, 'since'>[] | null; signal: AbortSignal | undefined },
): Promise<(environment: string) => VerdictFacts['unknownEnvironment']> {
  const silent = new Set(live.filter((_, at) => volumes?.[at]?.since === 0).map(({ deploy }) => deploy.environment))
  const places = silent.size === 0 ? null : await unlessAway(logs.places(signal), signal)
  const known = new Set(places?.map(({ environment }) => environment))
  return (environment) =>
    places === null || !silent.has(environment) || known.has(environment)
      ? null
      : { nearest: nearestEnvironment(environment, [...known]) ?? null }
}

function withVolumes(known: readonly Concerned[], volumes: readonly Omit<RecordFacts, 'explained'>[]) {
  return known.map((one, at) => {
    const against = new Set(
      one.told
        .filter((told) => countsAgainst(told.explanation.likelyCause, one.deploy))
        .map(({ analysis }) => analysis),
    )
    const others = new Set<Timed>([
      ...one.told.filter((told) => hasOtherCause(told.explanation.likelyCause, one.deploy)),
      ...one.all.filter((timed) => wasGrowing(timed, one.deploy) && !against.has(timed.analysis)),
    ])
    const once = new Map([...others].map((timed) => [timed.analysis, timed]))
    return { live: one, volumes: volumes[at]!, others: [...once.values()] }
  })
}

async function factsOf(
  parts: Pick<ReadingParts, 'control' | 'repository'>,
  known: Concerned,
  { lists, ...told }: Pick<VerdictFacts, 'records' | 'nowUs' | 'unknownEnvironment'> & { lists: DeployLists },
): Promise<VerdictFacts> {
  const { deploy, next } = known
  const isReplaced = next !== null && next.deployedAtUs <= told.nowUs
  const { introduced, regressed, gone } = lists
  return {
    environment: deploy.environment,
    deployedAtUs: deploy.deployedAtUs,
    ...told,
    replacedBy: isReplaced
      ? {
          sha: next.sha,
          atUs: next.deployedAtUs,
          isRollback: await isRollback(parts, next, deploy),
        }
      : null,
    against: againstOf(known),
    others: [...introduced, ...regressed].filter((one) => !one.countsAgainst).length,
    gone: gone.length,
  }
}

function verdictView(facts: VerdictFacts): DeployVerdict {
  const { verdict, reasons, checkAgainAtUs } = verdictOf(facts)
  const windows = typeof facts.records === 'string' || facts.nowUs < facts.deployedAtUs ? [] : facts.records.windows
  const widest = windows.at(-1)
  return {
    verdict,
    reasons,
    before: widest ? countsView(widest.before) : null,
    after: widest ? countsView(widest.after) : null,
    windows: windows.map(({ minutes, before, after }) => ({
      minutes,
      before: countsView(before),
      after: countsView(after),
    })),
    checkAgainAt: checkAgainAtUs === null ? null : formatRfc3339(Math.ceil(checkAgainAtUs / 1e6) * 1e6),
  }
}

function countsView({ fromUs, toUs, records, errors }: RecordFacts['windows'][number]['before']) {
  return { from: formatRfc3339(fromUs), to: formatRfc3339(toUs), records, errors }
}

function neverLive({ status }: Deploy): Judgement {
  const reason = `It ${OUTCOME_WORDS[status]}, so it never went live and there is nothing to judge.`
  const verdict = { verdict: null, reasons: [reason], before: null, after: null, windows: [], checkAgainAt: null }
  return { verdict, against: [], lists: { introduced: [], regressed: [], gone: [] } }
}
