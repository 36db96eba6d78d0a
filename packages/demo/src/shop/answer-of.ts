import { isErrorLevel } from '@tidemark/wire/level'
import type { Answer, DeployName } from './answers.ts'
import { runningAt, type ShopDeploy } from './deploys.ts'
import type { Incident } from './incidents/incident.ts'
import { lineOf } from './repository/repository.ts'
import type { ShopRecord } from './shop-record.ts'
import { codeAt, type World } from './world.ts'

/** Made from the records themselves, so that an answer cannot speak of an error that nobody logged. */
export function answerOf(world: World, incident: Incident, records: readonly ShopRecord[]): Answer {
  const { name, kind, title, environment, service } = incident
  const { fromMs, toMs } = incident.span(world)
  const sinceMs = incident.anchorMs?.(world) ?? fromMs
  const errors = records
    .filter((record) => record.service === service && isErrorLevel(record.level))
    .filter(({ timestamp }) => Date.parse(timestamp) >= sinceMs)
    .sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1))
  const first = errors[0]
  const last = errors.at(-1)
  if (!first || !last) throw new Error(`Nobody logged an error of ${name}.`)
  const correlated = runningAt(world.deploys, environment, Date.parse(first.timestamp))
  return {
    incident: name,
    kind,
    title,
    environment,
    service,
    firstErrorAt: first.timestamp,
    lastErrorAt: toMs >= world.nowMs ? null : last.timestamp,
    error: { type: first.error?.type ?? '', message: first.error?.message ?? first.message },
    correlatedDeploy: correlated ? nameOf(correlated) : null,
    cause: causeOf(world, incident, Date.parse(first.timestamp)),
  }
}

export function causeOf(world: World, incident: Incident, firstErrorMs: number): Answer['cause'] {
  const { deploy, commit: storyCommit, place, because } = incident.cause(world)
  const commit = storyCommit === null ? null : world.repository.storyCommit(storyCommit)
  // Without a commit to blame, the line is that of the code that ran.
  const code = commit ?? codeAt(world, incident.environment, firstErrorMs)
  return {
    deploy: deploy ? nameOf(deploy) : null,
    commit: commit?.sha ?? null,
    file: place?.path ?? null,
    line: place ? lineOf(code, place.path, place.code) : null,
    because,
  }
}

export function nameOf({ body: { sha, environment, deployedAt, status } }: ShopDeploy): DeployName {
  return { sha, environment, deployedAt, status }
}
