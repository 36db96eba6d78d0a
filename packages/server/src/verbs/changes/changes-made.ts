/** Deploys, commits and analyses that began: what is known without records, and the verdicts on the deploys. */

import { isAlike } from '@tidemark/wire/environment-alike'
import type { Warning } from '@tidemark/wire/reading/question'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { HOUR_US } from '@tidemark/wire/time/units'
import type { Change } from '../../analysis/change/change.ts'
import { commitChange, type DeployFound, deployChange } from '../../analysis/change/deploy-changes.ts'
import { errorsChange } from '../../analysis/change/errors-change.ts'
import { atMost } from '../../at-most.ts'
import { type Analysis, isTelling } from '../../model/analysis.ts'
import type { ProjectId, ProjectWithSettings } from '../../model/project.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { createCorrelator } from '../causes/correlate-deploy.ts'
import { isRollback } from '../causes/is-rollback.ts'
import { type Judgement, judgeDeploys } from '../deploys/judge-deploys.ts'
import { ASKED_AT_ONCE, type ReadingParts } from '../reading/reading-parts.ts'

/** Of the window, the newest; of these the ones below are looked at. */
const MAX_LISTED = 500
const MAX_DEPLOYS = 30
const MAX_ANALYSES = 200
/** Errors that began this close to the moment are what is asked about. */
const AT_THE_MOMENT_US = HOUR_US / 2

type Control = ReadingParts['control']
type Placed = Pick<DeployFound, 'deploy' | 'place'>

/** Of the environment and of names that look like it; without one, of all of them. Newest first. */
export async function deploysIn(
  deploys: Control['deploys'],
  projectId: ProjectId,
  { fromUs, toUs }: TimeRange,
  environment: string | null,
): Promise<{ found: Placed[]; warnings: Warning[] }> {
  const listed = await deploys.list(projectId, { fromUs, toUs, limit: MAX_LISTED })
  const found = listed.flatMap((deploy): Placed[] => {
    if (environment === null || deploy.environment === environment) return [{ deploy, place: 'same' }]
    return isAlike(deploy.environment, environment) ? [{ deploy, place: 'alike' }] : []
  })
  const message = `There were ${counted(found.length, 'deploy')} in the window: the ${withCommas(MAX_DEPLOYS)} newest are listed. Shorten lookback, or name an environment.`
  return { found: found.slice(0, MAX_DEPLOYS), warnings: found.length > MAX_DEPLOYS ? [{ message }] : [] }
}

/** `atUs`: the moment for which they are judged; null where an analysis has weighed them already. */
export async function deployChanges(
  parts: ReadingParts,
  project: ProjectWithSettings,
  placed: readonly Placed[],
  { atUs, signal }: { atUs: number | null; signal: AbortSignal | undefined },
): Promise<{ changes: Change[]; warnings: Warning[] }> {
  const inTurn = atMost(ASKED_AT_ONCE)
  const deploys = placed.map(({ deploy }) => deploy)
  const [judgements, rollbacks] = await Promise.all([
    atUs === null ? null : judgeDeploys(parts, project, deploys, signal),
    Promise.all(deploys.map((deploy) => inTurn(() => isRollback(parts, deploy)))),
  ])
  const changes = placed.map(({ deploy, place }, at) => {
    const judgement = judgements?.of(deploy) ?? null
    return deployChange({
      deploy,
      place,
      isRollback: rollbacks[at] ?? false,
      judged: judgement && { verdict: judgement.verdict.verdict, reason: judgement.verdict.reasons[0] ?? null },
      caused: judgement && atUs !== null ? causedAt(judgement, atUs) : null,
    })
  })
  return { changes: changes.filter((change) => isBefore(change, atUs)), warnings: judgements?.warnings ?? [] }
}

/** One that was recorded after the moment is listed only where it is known to have been running before. */
function isBefore({ atUs: deployedAtUs, isTimely }: Change, atUs: number | null): boolean {
  return atUs === null || deployedAtUs <= atUs || isTimely
}

function causedAt({ against }: Judgement, atUs: number): DeployFound['caused'] {
  const own = against
    .filter(({ onsetUs }) => Math.abs(onsetUs - atUs) <= AT_THE_MOMENT_US)
    .toSorted((one, other) => Math.abs(one.onsetUs - atUs) - Math.abs(other.onsetUs - atUs))
  return own[0] ?? null
}

/** The commit that ran there, where no deploy was recorded. */
export async function commitChanges(
  parts: Pick<ReadingParts, 'control' | 'repository'>,
  projectId: ProjectId,
  environment: string,
  { fromUs, atUs }: { fromUs: number; atUs: number },
): Promise<Change[]> {
  const correlation = await createCorrelator(parts, projectId).of({ environment, anchorUs: atUs })
  if (correlation.source !== 'inferred' || correlation.commit.committedAtUs < fromUs) return []
  return [commitChange(correlation.commit, environment)]
}

/** Episodes that began in the window, of all analyses but the one that is asked about. */
export async function analysesBegan(
  analyses: Control['analyses'],
  projectId: ProjectId,
  { fromUs, atUs, nowUs }: { fromUs: number; atUs: number; nowUs: number },
  { environment, except }: { environment: string | null; except: Analysis | null },
): Promise<Change[]> {
  const filter = { fromUs, toUs: nowUs + 1, environment: environment ?? undefined, sort: 'lastSeen' } as const
  const found = await analyses.list(projectId, { ...filter, limit: MAX_ANALYSES }, nowUs)
  return found
    .filter((one) => one.id !== except?.id && isTelling(one))
    .flatMap(({ id, title, environment: where, service, episodes }) =>
      episodes
        .filter(({ anchorUs }) => anchorUs >= fromUs && anchorUs <= atUs)
        .map(({ began, anchorUs, count }) =>
          errorsChange({ id, title, environment: where, service, began, anchorUs, count }),
        ),
    )
}
