import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { AppError } from '../errors.ts'
import { type Accounts, createAccounts } from './accounts/accounts.ts'
import { createInvitations, type Invitations } from './accounts/invitations.ts'
import { createMembers, type Members } from './accounts/members.ts'
import { createSessions, type Sessions } from './accounts/sessions.ts'
import { createSignInThrottle, type SignInThrottle } from './accounts/throttle.ts'
import { type AlertEpisodes, createAlertEpisodes } from './alerts/alert-episodes.ts'
import { type AlertChannels, createAlertChannels } from './alerts/channels.ts'
import { type AlertDeliveries, createAlertDeliveries } from './alerts/deliveries.ts'
import { type AlertQueue, createAlertQueue } from './alerts/queue.ts'
import { type AlertRules, createAlertRules } from './alerts/rules.ts'
import { type Analyses, createAnalyses } from './analyses/analyses.ts'
import { createGroupingRules, type GroupingRules } from './analyses/grouping-rules.ts'
import { type AnalysisNotesStore, createAnalysisNotes } from './analyses/notes.ts'
import { type AnalysisQueue, createAnalysisQueue } from './analyses/queue.ts'
import { type AuditLog, createAuditLog } from './audit.ts'
import { type Batches, createBatches } from './batches.ts'
import { CallWriter } from './calls/call-writer.ts'
import { type Calls, createCalls } from './calls/calls.ts'
import type { ControlDatabase, ControlLog, Purpose } from './database/database.ts'
import { appliedMigrations, CONTROL_VERSION, knownVersion, migrate } from './database/migrate.ts'
import type { PostgresWaiting } from './database/postgres.ts'
import { controlFile, openSqlite, type SqliteWaiting } from './database/sqlite.ts'
import { createDeploys, type Deploys } from './deploys.ts'
import { IngestCounts } from './keys/ingest-counts.ts'
import { KeyUse } from './keys/key-use.ts'
import { createKeys, type Keys } from './keys/keys.ts'
import { createOAuthClients, type OAuthClients } from './oauth/clients.ts'
import { createOAuthCodes, type OAuthCodes } from './oauth/codes.ts'
import { createProjects, type Projects } from './projects/projects.ts'
import { createUsage, type Usage } from './projects/usage.ts'
import { createRepositories, type Repositories } from './repositories.ts'
import { createSettings, type Settings } from './settings.ts'
import { createSourceMaps, type SourceMaps } from './sourcemaps/source-maps.ts'
import { createViews, type Views } from './views.ts'

export type ControlOptions = {
  /** A PostgreSQL address; without one everything is in `control.db` inside `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  log?: ControlLog
  waiting?: Partial<PostgresWaiting & SqliteWaiting>
}

/**
 * Projects, keys, deploys and everything that is not a log record. When a call resolves, its change is durable and
 * every node sees it. Errors are AppErrors; a database that is down is `unavailable`, never an empty answer.
 */
export type Control = {
  projects: Projects
  keys: Keys
  calls: Calls
  oauthClients: OAuthClients
  oauthCodes: OAuthCodes
  audit: AuditLog
  deploys: Deploys
  batches: Batches
  usage: Usage
  ingestCounts: IngestCounts
  settings: Settings
  accounts: Accounts
  sessions: Sessions
  signIns: SignInThrottle
  members: Members
  invitations: Invitations
  repositories: Repositories
  analyses: Analyses
  analysisNotes: AnalysisNotesStore
  analysisQueue: AnalysisQueue
  groupingRules: GroupingRules
  views: Views
  sourceMaps: SourceMaps
  alertChannels: AlertChannels
  alertRules: AlertRules
  alertEpisodes: AlertEpisodes
  alertQueue: AlertQueue
  alertDeliveries: AlertDeliveries
  /** Resolves when the database answers. `isReadOnly` when it is a standby of PostgreSQL, or set to refuse changes. */
  ping(): Promise<{ isReadOnly: boolean }>
  close(): Promise<void>
}

const SILENT: ControlLog = { warn: () => {} }

/** Creates or upgrades the tables first; any number of nodes may do so at once. */
export async function openControl(options: ControlOptions): Promise<Control> {
  const open = await controlOpener(options)
  const migrating = open('migrate')
  try {
    await migrate(migrating, Date.now())
  } finally {
    await migrating.close()
  }
  return controlIn(open('serve'), options)
}

/**
 * For looking at a store that may belong to a running service of another build: makes nothing and upgrades nothing. Null
 * where there is no store yet; a version that is not this build's is refused.
 */
export async function lookIntoControl(options: ControlOptions): Promise<Control | null> {
  if (options.databaseUrl === undefined && !existsSync(controlFile(options.dataDir))) return null
  const database = (await controlOpener(options))('look')
  try {
    const version = knownVersion(await appliedMigrations(database))
    if (version === CONTROL_VERSION) return controlIn(database, options)
    if (version > 0)
      throw new AppError(
        'conflict',
        `The control database has version ${version}, and this build of Tidemark has version ${CONTROL_VERSION}. Start the service with this build, which upgrades it, or use the build that the service runs with.`,
      )
  } catch (error) {
    await database.close()
    throw error
  }
  await database.close()
  return null
}

function controlIn(database: ControlDatabase, { databaseUrl, log = SILENT }: ControlOptions): Control {
  const keyUse = new KeyUse(database, log)
  const ingestCounts = new IngestCounts(database, log)
  const callWriter = new CallWriter(database, log)
  return {
    projects: createProjects(database),
    keys: createKeys(database, keyUse, ingestCounts),
    calls: createCalls(database, callWriter),
    oauthClients: createOAuthClients(database),
    oauthCodes: createOAuthCodes(database),
    audit: createAuditLog(database),
    deploys: createDeploys(database),
    batches: createBatches(database),
    usage: createUsage(database),
    ingestCounts,
    settings: createSettings(database),
    accounts: createAccounts(database),
    sessions: createSessions(database),
    signIns: createSignInThrottle(database),
    members: createMembers(database),
    invitations: createInvitations(database),
    repositories: createRepositories(database),
    analyses: createAnalyses(database),
    analysisNotes: createAnalysisNotes(database),
    analysisQueue: createAnalysisQueue(database),
    groupingRules: createGroupingRules(database),
    views: createViews(database),
    sourceMaps: createSourceMaps(database),
    alertChannels: createAlertChannels(database),
    alertRules: createAlertRules(database),
    alertEpisodes: createAlertEpisodes(database),
    alertQueue: createAlertQueue(database),
    alertDeliveries: createAlertDeliveries(database),
    async ping() {
      if (databaseUrl === undefined) {
        await database.db.selectNoFrom(sql`1`.as('one')).execute()
        return { isReadOnly: false }
      }
      const { rows } = await sql<{ transaction_read_only: string }>`show transaction_read_only`.execute(database.db)
      return { isReadOnly: rows[0]?.transaction_read_only === 'on' }
    },
    async close() {
      await keyUse.close()
      await callWriter.close()
      await ingestCounts.close()
      await database.close()
    },
  }
}

/** Opens the database itself, without touching its tables. */
export async function controlOpener({
  databaseUrl,
  dataDir,
  log = SILENT,
  waiting,
}: ControlOptions): Promise<(purpose: Purpose) => ControlDatabase> {
  if (databaseUrl === undefined) return (purpose) => openSqlite(dataDir, { ...waiting, purpose })
  return await postgresAt(databaseUrl, log, waiting)
}

/** The driver is loaded only where it is used: a command on SQLite would otherwise take a tenth of a second longer. */
async function postgresAt(
  url: string,
  log: ControlLog,
  waiting: ControlOptions['waiting'],
): Promise<(purpose: Purpose) => ControlDatabase> {
  const { openPostgres } = await import('./database/postgres.ts')
  return (purpose) => openPostgres(url, purpose, log, waiting)
}
