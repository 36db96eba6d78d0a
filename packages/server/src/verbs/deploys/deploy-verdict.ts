/**
 * The verdict on one deploy, for callers that wait for it. The first answer comes at once; while it is too early
 * another follows whenever there may be something new, until there is a verdict or the wait is over. The caller is
 * checked again between answers by the door that sends them; nothing is held in between.
 */

import type { DeployVerdictAnswer, DeployVerdictInput } from '@tidemark/wire/deploys/verdict'
import { parseDuration } from '@tidemark/wire/time/duration'
import { MINUTE_MS, MINUTE_US } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import { pause } from '../../pause.ts'
import { requireKeyOrPerson } from '../access.ts'
import { deployUrl, deployView } from '../reading/deploy-view.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { findDeploy } from './get-deploy.ts'
import { judgeDeploys } from './judge-deploys.ts'

export const MAX_WAIT_MINUTES = 30
/** Whether errors came is asked this often, which costs one look-up … */
const LOOK_EVERY_MS = 5_000
/** … and all of it at least this often, because records may stop coming too. */
const JUDGE_EVERY_MS = MINUTE_MS

export async function* deployVerdict(
  parts: ReadingParts,
  caller: Caller,
  { id, environment, wait }: DeployVerdictInput,
  signal: AbortSignal,
): AsyncGenerator<DeployVerdictAnswer> {
  const { control, publicUrl, now, pause: rest = pause } = parts
  const project = requireKeyOrPerson(caller)
  const untilMs = now() + waitMs(wait)
  // Found once: `latest` must not become another one while somebody waits.
  const named = await findDeploy(control, project.id, { id, environment })
  for (;;) {
    const judgedMs = now()
    const seen = await newestError(control, project.id, named)
    const deploy = (await control.deploys.get(project.id, named.id)) ?? named
    const { of, warnings } = await judgeDeploys(parts, project, [deploy], signal)
    const { verdict } = of(deploy)
    yield { ...verdict, deploy: deployView(deploy), url: deployUrl(publicUrl, deploy), warnings }
    // Without a time to check again there never will be a verdict: it was replaced, or nothing was logged for a day.
    if (verdict.verdict !== 'too_early' || verdict.checkAgainAt === null) return
    const dueMs = Math.min(judgedMs + JUDGE_EVERY_MS, Date.parse(verdict.checkAgainAt))
    do {
      const leftMs = untilMs - now()
      if (leftMs <= 0) return
      await rest(Math.min(LOOK_EVERY_MS, leftMs), signal)
      if (signal.aborted) return
    } while (now() < dueMs && now() < untilMs && (await newestError(control, project.id, named)) === seen)
  }
}

/** Changes with every error of the environment, but for one that is dated before others. */
async function newestError(
  { analyses }: Pick<ReadingParts['control'], 'analyses'>,
  projectId: ProjectId,
  { environment }: Deploy,
): Promise<string> {
  const [newest] = await analyses.list(projectId, { environment, sort: 'lastSeen', limit: 1 }, 0)
  return newest === undefined ? '' : `${newest.id} ${newest.lastSeenUs} ${newest.count}`
}

function waitMs(wait: string | undefined): number {
  if (wait === undefined) return 0
  const durationUs = parseDuration(wait)
  if (durationUs !== undefined && durationUs <= MAX_WAIT_MINUTES * MINUTE_US) return durationUs / 1_000
  const message = `must be a duration of at most ${MAX_WAIT_MINUTES}m, such as 10m or 90s`
  throw new AppError('invalid_request', `wait ${message}.`, { fields: [{ path: 'wait', message }] })
}
