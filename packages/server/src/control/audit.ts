/**
 * Who changed what, append-only. Each entry holds the hash of the one before, so an entry that was edited or removed
 * from the middle breaks the chain. Entries cut off at the end leave no trace in the chain itself: to rule that
 * out, compare `head` with a copy kept elsewhere.
 */
import { createHash } from 'node:crypto'
import type { AuditAnswer } from '@tidemark/wire/people/account'
import { newId } from '../model/id.ts'
import { isoTime, parseJsonObject } from './database/columns.ts'
import type { ControlDatabase, ControlTransaction } from './database/database.ts'
import type { ControlSchema } from './database/schema.ts'

/** Who makes a change, and when: a person's id, `operator` for the command line, `nobody` for a stranger. */
export type Change = { by: string; nowMs: number }

export type AuditAction =
  | 'project.created'
  | 'project.renamed'
  | 'project.settings_changed'
  | 'project.deleted'
  | 'key.created'
  | 'key.revoked'
  | 'oauth.consented'
  | 'oauth.code_reused'
  | 'person.created'
  | 'person.changed'
  | 'person.password_changed'
  | 'person.reset_link_created'
  | 'person.reset_link_used'
  | 'session.opened'
  | 'session.refused'
  | 'session.closed'
  | 'member.added'
  | 'member.role_changed'
  | 'member.removed'
  | 'invitation.created'
  | 'invitation.revoked'
  | 'logs.exported'
  | 'repository.connected'
  | 'repository.disconnected'
  | 'analysis.resolved'
  | 'analysis.ignored'
  | 'analysis.reopened'
  | 'analysis.assigned'
  | 'analysis.unassigned'
  | 'analysis.linked'
  | 'analysis.unlinked'
  | 'analysis.commented'
  | 'analysis.comment_edited'
  | 'analysis.comment_deleted'
  | 'grouping_rule.added'
  | 'grouping_rule.removed'
  | 'alert_channel.added'
  | 'alert_channel.changed'
  | 'alert_channel.removed'
  | 'alert_channel.tested'
  | 'alert_rule.added'
  | 'alert_rule.changed'
  | 'alert_rule.removed'
  | 'view.shared'
  | 'view.changed'
  | 'view.unshared'
  | 'view.deleted'
  | 'source_maps.deleted'

/** `details` never holds a secret. */
type NewAuditEntry = { action: AuditAction; projectId: string | null; details: Record<string, unknown> }

type AuditEntry = Omit<AuditAnswer['entries'][number], 'byName'>

/** `head` is the newest hash, or the empty chain's. */
export type AuditVerdict =
  | { intact: true; entries: number; head: string }
  | { intact: false; entries: number; firstBadSeq: number }

export type AuditLog = {
  /** Newest first, at most `limit`, older than `beforeSeq` when it is given. */
  list(filter: { projectId?: string; limit: number; beforeSeq?: number }): Promise<AuditEntry[]>
  /** For events that do not change the store itself, such as an export of records. */
  append(change: Change, entry: NewAuditEntry): Promise<void>
  verify(): Promise<AuditVerdict>
}

const EMPTY_CHAIN = '0'.repeat(64)
const VERIFY_PAGE = 1_000

type AuditRow = ControlSchema['audit_log']

/**
 * Part of the change it describes: both are committed or neither. Call it last in the transaction. It takes a lock that
 * every audited change needs, so taking row locks after it could deadlock.
 */
export async function appendAudit(
  database: ControlDatabase,
  transaction: ControlTransaction,
  change: Change,
  entry: NewAuditEntry,
): Promise<void> {
  await database.lock(transaction, 'audit')
  const newest = await transaction
    .selectFrom('audit_log')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = {
    seq: (newest?.seq ?? 0) + 1,
    id: newId('aud', change.nowMs),
    at: change.nowMs,
    actor: change.by,
    project_id: entry.projectId,
    action: entry.action,
    details: JSON.stringify(entry.details),
    previous_hash: newest?.hash ?? EMPTY_CHAIN,
  }
  await transaction
    .insertInto('audit_log')
    .values({ ...row, hash: entryHash(row) })
    .execute()
}

export function createAuditLog(database: ControlDatabase): AuditLog {
  const { db } = database
  return {
    append: (change, entry) =>
      db.transaction().execute((transaction) => appendAudit(database, transaction, change, entry)),

    async list({ projectId, limit, beforeSeq }) {
      let query = db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').limit(limit)
      if (projectId !== undefined) query = query.where('project_id', '=', projectId)
      if (beforeSeq !== undefined) query = query.where('seq', '<', beforeSeq)
      return (await query.execute()).map(toEntry)
    },

    async verify() {
      let head = EMPTY_CHAIN
      let entries = 0
      for (;;) {
        const page = await db
          .selectFrom('audit_log')
          .selectAll()
          .where('seq', '>', entries)
          .orderBy('seq')
          .limit(VERIFY_PAGE)
          .execute()
        for (const row of page) {
          const isNext = row.seq === entries + 1 && row.previous_hash === head && row.hash === entryHash(row)
          if (!isNext) return { intact: false, entries, firstBadSeq: entries + 1 }
          head = row.hash
          entries += 1
        }
        if (page.length < VERIFY_PAGE) return { intact: true, entries, head }
      }
    },
  }
}

/** An array, because its JSON has one form only: fields cannot run into each other or change places. */
function entryHash(row: Omit<AuditRow, 'hash'>): string {
  const content = [row.seq, row.id, row.at, row.actor, row.project_id, row.action, row.details]
  return createHash('sha256').update(row.previous_hash).update(JSON.stringify(content)).digest('hex')
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    seq: row.seq,
    id: row.id,
    at: isoTime(row.at),
    by: row.actor,
    projectId: row.project_id,
    action: row.action,
    details: parseJsonObject(row.details),
  }
}
