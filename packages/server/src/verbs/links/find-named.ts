/** What in the caller's project has an id or a name that somebody pasted. */

import { hasHashForm } from '@tidemark/wire/deploys/revision'
import { isGroupHash } from '@tidemark/wire/id-form'
import type { Expression } from '@tidemark/wire/query/ast'
import { printExpression } from '@tidemark/wire/query/print'
import type { LinkTarget } from '@tidemark/wire/reading/link'
import { DAY_US } from '@tidemark/wire/time/units'
import { traceIdIn } from '@tidemark/wire/trace-id'
import { equals } from '../../analysis/field-query.ts'
import type { ProjectId, ProjectWithSettings } from '../../model/project.ts'
import { keptRange } from '../../model/retention.ts'
import { unlessAway } from '../causes/unless-away.ts'
import { toLogRows } from '../reading/logs/log-row.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { analysisTarget, commitTarget, deployTarget, recordsTarget, recordTarget } from './link-targets.ts'

export const MAX_FOUND = 10
/** A trace of more records is counted by the engine. */
const TRACE_RECORDS = 200
/** How far back records are looked for by what they say. */
export const RECENT_DAYS = 7
/** Deploys after a commit that are asked whether they have it. */
const MAX_DEPLOYS_AFTER = 20

export type Asked = {
  parts: ReadingParts
  project: ProjectWithSettings
  signal: AbortSignal | undefined
  /** Set when the log store did not answer, so that records may be missing. */
  isIncomplete: boolean
}

/** In the order of the ids; what is unknown, past its retention or another project's is left out. */
export async function findByIds({ parts, project, signal }: Asked, ids: readonly string[]): Promise<LinkTarget[]> {
  const { control, logStore, now } = parts
  const records = ids.filter((id) => id.startsWith('log_'))
  const stored = records.length === 0 ? [] : await logStore.project(project.id).byIds(records, signal)
  const rows = new Map((await toLogRows(parts, project.id, stored)).map((row) => [row.id, row]))
  const found = await Promise.all(
    ids.map(async (id) => {
      const row = rows.get(id)
      if (row !== undefined) return recordTarget(row)
      if (id.startsWith('dep_')) return ifFound(await control.deploys.get(project.id, id), deployTarget)
      if (!id.startsWith('ana_')) return null
      return ifFound(await control.analyses.get(project.id, id), (one) => analysisTarget(one, now() * 1_000))
    }),
  )
  return found.filter((one) => one !== null)
}

/** Deploys and commits by revision, external id or CI run, a trace, and what a pattern or a fingerprint stands for. */
export async function findNamed(asked: Asked, name: string): Promise<LinkTarget[]> {
  const { parts, project } = asked
  const traceId = traceIdIn(name)
  const [deploys, trace, group] = await Promise.all([
    parts.control.deploys.named(project.id, name, MAX_FOUND),
    traceId === null ? null : unlessStoreAway(asked, findTrace(asked, traceId)),
    isGroupHash(name) ? findGroup(asked, name.toLowerCase()) : [],
  ])
  const commit = deploys.length === 0 && hasHashForm(name) ? await findCommit(asked, name) : []
  return [...deploys.map(deployTarget), ...commit, ...(trace === null ? [] : [trace]), ...group].slice(0, MAX_FOUND)
}

/** The records of the last days that match, as one target; null when there are none. */
export function findRecords(
  asked: Asked,
  kind: 'pattern' | 'text',
  search: { root: Expression; id: string },
): Promise<LinkTarget | null> {
  return unlessStoreAway(asked, recentRecords(asked, kind, search))
}

async function recentRecords(
  { parts, project, signal }: Asked,
  kind: 'pattern' | 'text',
  { root, id }: { root: Expression; id: string },
): Promise<LinkTarget | null> {
  const toUs = parts.now() * 1_000
  const range = { fromUs: toUs - RECENT_DAYS * DAY_US, toUs }
  const logs = parts.logStore.project(project.id)
  const { records } = await logs.search({ range, filter: { root }, order: 'newest', limit: 1, signal })
  const [newest] = await toLogRows(parts, project.id, records)
  if (newest === undefined) return null
  const count = await logs.total({ range, filter: { root }, signal })
  return recordsTarget(kind, id, { newest, count, firstUs: null, query: printExpression(root) })
}

async function findTrace({ parts, project, signal }: Asked, traceId: string): Promise<LinkTarget | null> {
  const root = equals('traceId', traceId)
  const range = keptRange(project, parts.now())
  const logs = parts.logStore.project(project.id)
  const filter = { root }
  const page = await logs.search({ range, filter, order: 'newest', limit: TRACE_RECORDS, signal })
  const [newest] = await toLogRows(parts, project.id, page.records.slice(0, 1))
  if (newest === undefined) return null
  const count = page.isEnd ? page.records.length : await logs.total({ range, filter, signal })
  const firstUs = page.isEnd ? page.records.at(-1)!.timeUs : null
  return recordsTarget('trace', traceId, { newest, count, firstUs, query: printExpression(root) })
}

async function findGroup(asked: Asked, hash: string): Promise<LinkTarget[]> {
  const { parts, project } = asked
  const nowUs = parts.now() * 1_000
  const [analyses, pattern] = await Promise.all([
    parts.control.analyses.list(project.id, { fingerprint: hash, sort: 'lastSeen', limit: MAX_FOUND }, nowUs),
    findRecords(asked, 'pattern', { root: equals('pattern', hash), id: hash }),
  ])
  return [...analyses.map((one) => analysisTarget(one, nowUs)), ...(pattern === null ? [] : [pattern])]
}

/** A commit of the connected repository, after the first deploy that has it. */
async function findCommit({ parts, project }: Asked, revision: string): Promise<LinkTarget[]> {
  const repository = await parts.repository.mirrorOf(project.id)
  if (repository.state !== 'ready') return []
  const { mirror } = repository
  const sha = await mirror.fullHash(revision.toLowerCase())
  const commit = sha === null ? null : await mirror.commit(sha)
  if (commit === null) return []
  const deploy = await firstDeployWith(parts, project.id, {
    sinceUs: commit.committedAtUs,
    has: async (deployed) => {
      const { relation } = await mirror.compare(commit.sha, deployed)
      return relation === 'forward' || relation === 'same'
    },
  })
  return [...(deploy === null ? [] : [deployTarget(deploy)]), commitTarget(commit)]
}

async function firstDeployWith(
  { control }: ReadingParts,
  projectId: ProjectId,
  { sinceUs, has }: { sinceUs: number; has: (sha: string) => Promise<boolean> },
) {
  const filter = { fromUs: sinceUs, status: 'succeeded', order: 'oldest', limit: MAX_DEPLOYS_AFTER } as const
  for (const deploy of await control.deploys.list(projectId, filter)) if (await has(deploy.sha)) return deploy
  return null
}

async function unlessStoreAway<Found>(asked: Asked, asking: Promise<Found | null>): Promise<Found | null> {
  const answer = await unlessAway(
    asking.then((found) => ({ found })),
    asked.signal,
  )
  if (answer === null) asked.isIncomplete = true
  return answer?.found ?? null
}

function ifFound<Found, Target>(found: Found | null, toTarget: (found: Found) => Target): Target | null {
  return found === null ? null : toTarget(found)
}
