import { AppError } from '../../errors.ts'
import { newId } from '../../model/id.ts'
import type { ProjectId, ProjectSettings, ProjectWithSettings } from '../../model/project.ts'
import { appendAudit, type Change } from '../audit.ts'
import { isoTime, parseJsonObject } from '../database/columns.ts'
import type { ControlDatabase } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { nameKey } from '../given-name.ts'
import { checkedProjectName, checkedSettings, type ProjectChanges } from './input.ts'
import { storedRules } from './retention-rules.ts'

type NewProject = { name: string; retentionDays: number }

/** Deleted projects are missing from every answer except `listDeleted`. */
export type Projects = {
  /** A name that a living project has, in any letter case, is a `conflict`. */
  create(input: NewProject, change: Change): Promise<ProjectWithSettings>
  /** Newest first, ties by id. */
  list(): Promise<ProjectWithSettings[]>
  get(id: string): Promise<ProjectWithSettings | null>
  /** By id or by name in any letter case. For operators only: the error for an unknown one lists projects. */
  find(idOrName: string): Promise<ProjectWithSettings>
  rename(id: string, name: string, change: Change): Promise<ProjectWithSettings>
  /** What is omitted keeps its value. All of it or nothing: a name that is taken leaves the settings as they were. */
  changeSettings(
    id: string,
    settings: ProjectChanges & { name?: string | undefined },
    change: Change,
  ): Promise<ProjectWithSettings>
  /** Its keys are revoked in the same transaction. The records are for a job to remove, which then calls `markPurged`. */
  delete(id: string, change: Change): Promise<void>
  /** Deleted projects whose records have not been removed yet. */
  listDeleted(): Promise<{ id: ProjectId; deletedAt: string }[]>
  markPurged(id: string, nowMs: number): Promise<void>
}

const DEFAULT_ENVIRONMENT = 'production'
/** The error for an unknown project lists this many names; `project list` has the rest. */
const MAX_CANDIDATES = 10

type ProjectRow = ControlSchema['projects']

export function createProjects(database: ControlDatabase): Projects {
  const { db } = database
  const living = () => db.selectFrom('projects').selectAll().where('deleted_at', 'is', null)

  async function update(
    id: string,
    values: Partial<ProjectRow>,
    change: Change,
    entries: { action: 'project.renamed' | 'project.settings_changed'; details: Record<string, unknown> }[],
  ) {
    return db.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('projects')
        .set(values)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (!row) throw unknownProject(id)
      for (const entry of entries) await appendAudit(database, transaction, change, { ...entry, projectId: id })
      return toProject(row)
    })
  }

  return {
    async create(input, change) {
      const name = checkedProjectName(input.name)
      const { retention_days } = checkedSettings({ retentionDays: input.retentionDays })
      const row = {
        id: newId('prj', change.nowMs),
        name,
        name_key: nameKey(name),
        default_environment: DEFAULT_ENVIRONMENT,
        retention_days: retention_days ?? input.retentionDays,
        retention_rules: '',
        monthly_quota_records: null,
        max_bytes_per_second: null,
        max_requests_per_second: null,
        redaction: '{}',
        created_at: change.nowMs,
        deleted_at: null,
        purged_at: null,
      }
      return nameConflict(name, () =>
        db.transaction().execute(async (transaction) => {
          await transaction.insertInto('projects').values(row).execute()
          const entry = { action: 'project.created', projectId: row.id, details: { name } } as const
          await appendAudit(database, transaction, change, entry)
          return toProject(row)
        }),
      )
    },

    async list() {
      const rows = await living().orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
      return rows.map(toProject)
    },

    async get(id) {
      const row = await living().where('id', '=', id).executeTakeFirst()
      return row ? toProject(row) : null
    },

    async find(idOrName) {
      // A name cannot look like an id, so at most one row matches.
      const row = await living()
        .where((eb) => eb.or([eb('id', '=', idOrName), eb('name_key', '=', nameKey(idOrName))]))
        .executeTakeFirst()
      if (row) return toProject(row)
      const others = await living().orderBy('name_key').limit(MAX_CANDIDATES).execute()
      throw unknownProject(
        idOrName,
        others.map((other) => other.name),
      )
    },

    async rename(id, newName, change) {
      const { values, entry } = renaming(newName)
      return nameConflict(values.name, () => update(id, values, change, [entry]))
    },

    async changeSettings(id, { name, ...settings }, change) {
      const values = checkedSettings(settings)
      const isChanged = Object.keys(values).length > 0
      if (!isChanged && name === undefined) {
        throw new AppError('invalid_request', 'No setting was given. Name at least one to change.')
      }
      const entries = isChanged ? [{ action: 'project.settings_changed' as const, details: { ...settings } }] : []
      if (name === undefined) return update(id, values, change, entries)
      const renamed = renaming(name)
      return nameConflict(renamed.values.name, () =>
        update(id, { ...values, ...renamed.values }, change, [...entries, renamed.entry]),
      )
    },

    async delete(id, change) {
      await db.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('projects')
          .set({ deleted_at: change.nowMs })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .returning('name')
          .executeTakeFirst()
        if (!row) throw unknownProject(id)
        const keys = await transaction
          .updateTable('api_keys')
          .set({ revoked_at: change.nowMs })
          .where('project_id', '=', id)
          .where('revoked_at', 'is', null)
          .returning('id')
          .execute()
        await transaction.deleteFrom('invitations').where('project_id', '=', id).execute()
        const details = { name: row.name, revokedKeys: keys.length }
        await appendAudit(database, transaction, change, { action: 'project.deleted', projectId: id, details })
      })
    },

    async listDeleted() {
      const rows = await db
        .selectFrom('projects')
        .select(['id', 'deleted_at'])
        .where('deleted_at', 'is not', null)
        .where('purged_at', 'is', null)
        .orderBy('deleted_at')
        .orderBy('id')
        .execute()
      return rows.map((row) => ({ id: row.id as ProjectId, deletedAt: isoTime(row.deleted_at ?? 0) }))
    },

    async markPurged(id, nowMs) {
      await db
        .updateTable('projects')
        .set({ purged_at: nowMs })
        .where('id', '=', id)
        .where('deleted_at', 'is not', null)
        .execute()
    },
  }
}

function renaming(newName: string) {
  const name = checkedProjectName(newName)
  const values = { name, name_key: nameKey(name) }
  return { values, entry: { action: 'project.renamed' as const, details: { name } } }
}

/** The key lookup joins this row too. */
export function toProject(row: Omit<ProjectRow, 'name_key' | 'purged_at' | 'deleted_at'>): ProjectWithSettings {
  const settings: ProjectSettings = {
    defaultEnvironment: row.default_environment,
    retentionDays: row.retention_days,
    retentionRules: storedRules(row.retention_rules),
    monthlyQuotaRecords: row.monthly_quota_records,
    maxBytesPerSecond: row.max_bytes_per_second,
    maxRequestsPerSecond: row.max_requests_per_second,
    redaction: parseJsonObject(row.redaction),
  }
  return { id: row.id as ProjectId, name: row.name, createdAt: isoTime(row.created_at), ...settings }
}

export function unknownProject(idOrName: string, names: string[] = []): AppError {
  const candidates = names.length === 0 ? '' : ` There are: ${names.join(', ')}.`
  return new AppError(
    'not_found',
    `No project has the id or name "${idOrName}".${candidates} List them with "tidemark project list".`,
  )
}

async function nameConflict<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    throw new AppError('conflict', `A project named "${name}" already exists. Choose another name.`, { cause: error })
  }
}
