import type { DeployStatus } from '@tidemark/wire/deploys/deploy-status'
import { hasHashForm, isSameRevision, SHORTEST_HASH } from '@tidemark/wire/deploys/revision'
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import type { Deploy, DeployInput } from '../model/deploy.ts'
import { newId } from '../model/id.ts'
import type { ProjectId } from '../model/project.ts'
import { isoTime, parseJsonObject } from './database/columns.ts'
import type { ControlDatabase } from './database/database.ts'
import type { ControlSchema } from './database/schema.ts'

/** `fromUs` is part of the range, `toUs` is not. `after` is the last deploy of the page before. */
type DeployFilter = {
  limit: number
  status?: DeployStatus | undefined
  environment?: string | undefined
  /** A hash is found by its beginning too, as it stands in every line that is read. */
  sha?: string | undefined
  fromUs?: number | undefined
  toUs?: number | undefined
  after?: DeployPosition | undefined
  /** Newest first without it. */
  order?: 'newest' | 'oldest' | undefined
}

export type RecordedDeploy = { created: boolean; deploy: Deploy }

type Moment = { environment: string; atUs: number }

const MAX_DEPLOYS_NEAR = 5_000
const DEPLOYS_AT_A_TIME = 500

type DeployPosition = Pick<Deploy, 'deployedAtUs' | 'createdAt' | 'id'>

/** Newest first unless asked otherwise: by deploy time, recording time, then id. Environments match exactly. */
export type Deploys = {
  /**
   * With an `externalId` the project has at most one such deploy, however many nodes record it at once, and exactly one
   * of those calls says `created` (Invariant 7). Without one every call makes a new deploy.
   */
  record(projectId: ProjectId, input: DeployInput, nowMs: number): Promise<RecordedDeploy>
  /** The same, but null and nothing changed when the deploy with this `externalId` has a later time already. */
  recordUnlessLater(projectId: ProjectId, input: DeployInput, nowMs: number): Promise<RecordedDeploy | null>
  get(projectId: ProjectId, id: string): Promise<Deploy | null>
  list(projectId: ProjectId, filter: DeployFilter): Promise<Deploy[]>
  /**
   * What somebody may mean by a text: the deploys with this external id, CI run or revision, and those whose revision is a
   * hash that begins with it or is its beginning.
   */
  named(projectId: ProjectId, text: string, limit: number): Promise<Deploy[]>
  /** The newest that succeeded, anywhere or in one environment. */
  latest(projectId: ProjectId, environment?: string): Promise<Deploy | null>
  /** What whoever records a deploy is told ran before it: same environment, succeeded, at an earlier time. */
  previous(deploy: Deploy): Promise<Deploy | null>
  /**
   * The one that it replaced: same environment, succeeded, the one before it in the order of deploys, which may be of the
   * same moment. The inverse of `next`.
   */
  replaced(deploy: Deploy): Promise<Deploy | null>
  /** The one that replaced it: same environment, succeeded, the next in the order of deploys. */
  next(deploy: Deploy): Promise<Deploy | null>
  /** Whether its revision succeeded in its environment before it, by whichever name. */
  hasRunBefore(deploy: Deploy): Promise<boolean>
  /** The correlation rule: what was running in the environment at that moment. */
  latestSucceeded(projectId: ProjectId, environment: string, atUs: number): Promise<Deploy | null>
  /**
   * The same for many moments in a few statements, in their order; null as well where the last deploy was more than
   * `withinUs` before. Of more than `MAX_DEPLOYS_NEAR` deploys in the time of all moments the oldest are not looked at.
   */
  latestSucceededNear(projectId: ProjectId, moments: readonly Moment[], withinUs: number): Promise<(Deploy | null)[]>
  /** How many succeeded deploys each environment has, most first: to say why there is no correlated one. */
  countByEnvironment(projectId: ProjectId): Promise<{ environment: string; deploys: number }[]>
}

type DeployRow = ControlSchema['deploys']

export function createDeploys({ db }: ControlDatabase): Deploys {
  const inProject = (projectId: ProjectId) => db.selectFrom('deploys').selectAll().where('project_id', '=', projectId)
  const succeededIn = (projectId: ProjectId, environment: string) =>
    ordered(inProject(projectId), 'newest')
      .where('environment', '=', environment)
      .where('status', '=', 'succeeded')
      .limit(1)

  /** The first after it in this order, of those that succeeded in its environment. */
  async function neighbour(deploy: Deploy, order: 'newest' | 'oldest'): Promise<Deploy | null> {
    const filter = { environment: deploy.environment, status: 'succeeded', order, limit: 1 } as const
    const [found = null] = await deploys.list(deploy.projectId, { ...filter, after: deploy })
    return found
  }

  /** One statement, so that of two at once neither undoes the other. Null when a later one stands. */
  async function upsert(
    projectId: ProjectId,
    input: DeployInput,
    nowMs: number,
    { unlessLater }: { unlessLater: boolean },
  ): Promise<RecordedDeploy | null> {
    const id = newId('dep', nowMs)
    const required = {
      sha: input.sha,
      environment: input.environment,
      deployed_at_us: input.deployedAtUs,
      status: input.status ?? 'succeeded',
    }
    const optional = givenColumns(input)
    const row = await db
      .insertInto('deploys')
      .values({
        id,
        project_id: projectId,
        external_id: input.externalId ?? null,
        ...required,
        ...optional,
        created_at: nowMs,
        updated_at: nowMs,
      })
      // Without an external id there is no conflict: NULLs differ from each other in both databases.
      .onConflict((conflict) => {
        const update = conflict
          .columns(['project_id', 'external_id'])
          .doUpdateSet({ ...required, ...optional, updated_at: nowMs })
        return unlessLater ? update.where('deploys.deployed_at_us', '<=', input.deployedAtUs) : update
      })
      .returningAll()
      .executeTakeFirst()
    return row ? { created: row.id === id, deploy: toDeploy(row) } : null
  }

  const deploys: Deploys = {
    async record(projectId, input, nowMs) {
      return (await upsert(projectId, input, nowMs, { unlessLater: false }))!
    },

    recordUnlessLater: (projectId, input, nowMs) => upsert(projectId, input, nowMs, { unlessLater: true }),

    async get(projectId, id) {
      return toDeployOrNull(await inProject(projectId).where('id', '=', id).executeTakeFirst())
    },

    async list(projectId, { limit, status, environment, sha, fromUs, toUs, after, order = 'newest' }) {
      let query = ordered(inProject(projectId), order).limit(limit)
      if (status !== undefined) query = query.where('status', '=', status)
      if (environment !== undefined) query = query.where('environment', '=', environment)
      if (sha !== undefined) query = query.where((eb) => mayBeRevision(eb, sha))
      if (fromUs !== undefined) query = query.where('deployed_at_us', '>=', fromUs)
      if (toUs !== undefined) query = query.where('deployed_at_us', '<', toUs)
      if (after !== undefined) query = query.where((eb) => isBeyond(eb, order, after))
      return (await query.execute()).map(toDeploy)
    },

    async named(projectId, text, limit) {
      const found = ordered(inProject(projectId), 'newest').where((eb) =>
        eb.or([eb('external_id', '=', text), eb('url', '=', text), mayBeRevision(eb, text)]),
      )
      return (await found.limit(limit).execute()).map(toDeploy)
    },

    async latest(projectId, environment) {
      const [latest = null] = await deploys.list(projectId, { limit: 1, status: 'succeeded', environment })
      return latest
    },

    async previous({ projectId, environment, deployedAtUs }) {
      const earlier = succeededIn(projectId, environment).where('deployed_at_us', '<', deployedAtUs)
      return toDeployOrNull(await earlier.executeTakeFirst())
    },

    replaced: (deploy) => neighbour(deploy, 'newest'),
    next: (deploy) => neighbour(deploy, 'oldest'),

    async hasRunBefore(deploy) {
      const { projectId, environment, sha } = deploy
      const named = db
        .selectFrom('deploys')
        .select('sha')
        .distinct()
        .where('project_id', '=', projectId)
        .where('environment', '=', environment)
        .where('status', '=', 'succeeded')
        .where((eb) => eb.and([isBeyond(eb, 'newest', deploy), mayBeRevision(eb, sha)]))
      return (await named.execute()).some((one) => isSameRevision(one.sha, sha))
    },

    async latestSucceeded(projectId, environment, atUs) {
      const found = await deploys.list(projectId, { ...mayRunUntil(atUs), environment, limit: 1 })
      return runningAt(found, { environment, atUs })
    },

    async latestSucceededNear(projectId, moments, withinUs) {
      if (moments.length === 0) return []
      const times = moments.map(({ atUs }) => atUs)
      const fromUs = Math.max(0, Math.min(...times) - withinUs)
      const filter = { ...mayRunUntil(Math.max(...times)), fromUs, limit: DEPLOYS_AT_A_TIME }
      const near: Deploy[] = []
      while (near.length < MAX_DEPLOYS_NEAR) {
        const page = await deploys.list(projectId, { ...filter, after: near.at(-1) })
        near.push(...page)
        if (page.length < DEPLOYS_AT_A_TIME) break
      }
      return moments.map((moment) => {
        const latest = runningAt(near, moment)
        return latest !== null && moment.atUs - latest.deployedAtUs <= withinUs ? latest : null
      })
    },

    async countByEnvironment(projectId) {
      return db
        .selectFrom('deploys')
        .select(({ fn }) => ['environment', fn.countAll<number>().as('deploys')])
        .where('project_id', '=', projectId)
        .where('status', '=', 'succeeded')
        .groupBy('environment')
        .orderBy('deploys', 'desc')
        .orderBy('environment')
        .execute()
    },
  }
  return deploys
}

/** The correlation rule (Invariant 12). They come newest first, in the order of all deploys: the first that fits is the latest. */
function runningAt(newestFirst: readonly Deploy[], { environment, atUs }: Moment): Deploy | null {
  return newestFirst.find((one) => one.deployedAtUs <= atUs && one.environment === environment) ?? null
}

/** Which of them the rule looks at. */
function mayRunUntil(atUs: number) {
  return { status: 'succeeded', toUs: atUs + 1 } as const
}

/** The columns of the optional fields that were sent: an omitted one must not appear, or an update would clear it. */
function givenColumns(input: DeployInput): Partial<DeployRow> {
  const columns: Partial<DeployRow> = {}
  if (input.ref !== undefined) columns.ref = input.ref
  if (input.message !== undefined) columns.message = input.message
  if (input.author !== undefined) columns.author = input.author
  if (input.url !== undefined) columns.url = input.url
  if (input.metadata !== undefined) columns.metadata = input.metadata === null ? null : JSON.stringify(input.metadata)
  return columns
}

type DeployExpressions = ExpressionBuilder<ControlSchema, 'deploys'>

/** Those that come after a deploy in this order. */
function isBeyond({ eb, refTuple, tuple }: DeployExpressions, order: 'newest' | 'oldest', of: DeployPosition) {
  const position = tuple(of.deployedAtUs, Date.parse(of.createdAt), of.id)
  return eb(refTuple('deployed_at_us', 'created_at', 'id'), order === 'newest' ? '<' : '>', position)
}

/** The name itself, a hash that begins with it, or the beginning of it. `isSameRevision` knows words from hashes. */
function mayBeRevision(eb: DeployExpressions, name: string) {
  const hash = hasHashForm(name) ? name.toLowerCase() : null
  if (hash === null) return eb('sha', '=', name)
  const sha = eb.fn<string>('lower', ['sha'])
  const begins = eb(sha, 'like', `${hash}%`)
  return hash.length === SHORTEST_HASH ? begins : eb.or([begins, eb(sha, 'in', beginningsOf(hash))])
}

function beginningsOf(hash: string): string[] {
  return Array.from({ length: hash.length - SHORTEST_HASH }, (_, more) => hash.slice(0, SHORTEST_HASH + more))
}

function ordered(query: SelectQueryBuilder<ControlSchema, 'deploys', DeployRow>, order: 'newest' | 'oldest') {
  const direction = order === 'newest' ? 'desc' : 'asc'
  return query.orderBy('deployed_at_us', direction).orderBy('created_at', direction).orderBy('id', direction)
}

function toDeployOrNull(row: DeployRow | undefined): Deploy | null {
  return row ? toDeploy(row) : null
}

function toDeploy(row: DeployRow): Deploy {
  return {
    id: row.id,
    projectId: row.project_id as ProjectId,
    sha: row.sha,
    environment: row.environment,
    deployedAtUs: row.deployed_at_us,
    status: row.status as DeployStatus,
    ref: row.ref,
    message: row.message,
    author: row.author,
    externalId: row.external_id,
    url: row.url,
    metadata: row.metadata === null ? null : parseJsonObject(row.metadata),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }
}
