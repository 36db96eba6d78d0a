/**
 * What people note about an analysis: who looks after it, its ticket, their comments. Each change is recorded in the
 * audit log, in the same transaction. An id that was merged away leads to the analysis that has its errors now.
 */

import { MAX_COMMENTS } from '@tidemark/wire/limits'
import { withCommas } from '@tidemark/wire/text/counted'
import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Analysis } from '../../model/analysis.ts'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import { type AuditAction, appendAudit, type Change } from '../audit.ts'
import { isoTime, isoTimeOrNull } from '../database/columns.ts'
import { type ControlDatabase, type ControlTransaction, chunks, withLock } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { findAnalysis } from './rows.ts'
import { unknownAnalysis } from './unknown-analysis.ts'

/** People by their ids. */
type StoredNotes = {
  assignee: { personId: string; at: string; by: string } | null
  ticket: { url: string; at: string; by: string } | null
  /** Oldest first. */
  comments: StoredComment[]
}
type StoredComment = { id: string; author: string; text: string; createdAt: string; editedAt: string | null }
type StoredBrief = { assignee: string | null; ticket: string | null; comments: number }

export type AnalysisNotesStore = {
  get(projectId: ProjectId, id: string): Promise<StoredNotes>
  /** Only of those that have any. */
  of(projectId: ProjectId, ids: readonly string[]): Promise<Map<string, StoredBrief>>
  /** All or none: one that does not exist is `not_found`. `personId` is checked by the caller. */
  assign(projectId: ProjectId, ids: readonly string[], personId: string | null, change: Change): Promise<void>
  link(projectId: ProjectId, id: string, url: string | null, change: Change): Promise<void>
  comment(projectId: ProjectId, id: string, text: string, change: Change): Promise<void>
  /** Only its author may. */
  editComment(projectId: ProjectId, place: CommentPlace, text: string, change: Change): Promise<void>
  /** Its author may, and with `isAnyones` everybody. */
  deleteComment(projectId: ProjectId, place: CommentPlace, isAnyones: boolean, change: Change): Promise<void>
}

export type CommentPlace = { analysisId: string; commentId: string }

type Entry = { action: AuditAction; details?: Record<string, unknown> }

export function createAnalysisNotes(database: ControlDatabase): AnalysisNotesStore {
  const { db } = database

  /** `write` says what it did, or null when everything was so already. */
  function changed(
    projectId: ProjectId,
    ids: readonly string[],
    change: Change,
    write: (transaction: ControlTransaction, analysis: Analysis) => Promise<Entry | null>,
  ): Promise<void> {
    // With the counts: a merge moves notes, and must not meet one that is being written.
    return withLock(database, 'analyses', async (transaction) => {
      const entries: { analysis: Analysis; entry: Entry }[] = []
      for (const id of new Set(ids)) {
        const analysis = await findAnalysis(transaction, projectId, id)
        if (analysis === null) throw unknownAnalysis()
        const entry = await write(transaction, analysis)
        if (entry !== null) entries.push({ analysis, entry })
      }
      for (const { analysis, entry } of entries) {
        const details = { analysis: analysis.id, title: analysis.title, ...entry.details }
        await appendAudit(database, transaction, change, { action: entry.action, projectId, details })
      }
    })
  }

  return {
    async get(projectId, id) {
      const [row, comments] = await Promise.all([
        db
          .selectFrom('analysis_notes')
          .selectAll()
          .where('project_id', '=', projectId)
          .where('analysis_id', '=', id)
          .executeTakeFirst(),
        commentsOf(db, projectId, id),
      ])
      return {
        assignee: row?.assignee
          ? { personId: row.assignee, at: isoTime(row.assigned_at ?? 0), by: row.assigned_by ?? '' }
          : null,
        ticket: row?.ticket ? { url: row.ticket, at: isoTime(row.ticket_at ?? 0), by: row.ticket_by ?? '' } : null,
        comments,
      }
    },

    async of(projectId, ids) {
      const found = new Map<string, StoredBrief>()
      for (const chunk of chunks(ids)) {
        const rows = await db
          .selectFrom('analysis_notes')
          .select(['analysis_id', 'assignee', 'ticket'])
          .where('project_id', '=', projectId)
          .where('analysis_id', 'in', chunk)
          .execute()
        for (const { analysis_id: id, assignee, ticket } of rows) {
          if (assignee !== null || ticket !== null) found.set(id, { assignee, ticket, comments: 0 })
        }
        const counts = await db
          .selectFrom('analysis_comments')
          .select(({ fn }) => ['analysis_id', fn.countAll<number>().as('comments')])
          .where('project_id', '=', projectId)
          .where('analysis_id', 'in', chunk)
          .groupBy('analysis_id')
          .execute()
        for (const { analysis_id: id, comments } of counts) {
          found.set(id, { assignee: null, ticket: null, ...found.get(id), comments })
        }
      }
      return found
    },

    assign: (projectId, ids, personId, change) =>
      changed(projectId, ids, change, async (transaction, { id }) => {
        const before = await noteOf(transaction, id)
        if ((before?.assignee ?? null) === personId) return null
        const by = personId === null ? null : change.by
        const at = personId === null ? null : change.nowMs
        await writeNote(transaction, projectId, id, { assignee: personId, assigned_at: at, assigned_by: by })
        const action = personId === null ? 'analysis.unassigned' : 'analysis.assigned'
        return { action, details: { personId: personId ?? before?.assignee } }
      }),

    link: (projectId, id, url, change) =>
      changed(projectId, [id], change, async (transaction, analysis) => {
        const before = await noteOf(transaction, analysis.id)
        if ((before?.ticket ?? null) === url) return null
        const by = url === null ? null : change.by
        const at = url === null ? null : change.nowMs
        await writeNote(transaction, projectId, analysis.id, { ticket: url, ticket_at: at, ticket_by: by })
        const action = url === null ? 'analysis.unlinked' : 'analysis.linked'
        return { action, details: { ticket: url ?? before?.ticket } }
      }),

    comment: (projectId, id, text, change) =>
      changed(projectId, [id], change, async (transaction, analysis) => {
        const known = await commentsOf(transaction, projectId, analysis.id)
        if (known.length >= MAX_COMMENTS) {
          throw new AppError(
            'conflict',
            `An analysis can have at most ${withCommas(MAX_COMMENTS)} comments. Delete one first.`,
          )
        }
        const row = {
          id: newId('com', change.nowMs),
          analysis_id: analysis.id,
          project_id: projectId,
          author: change.by,
          body: text,
          created_at: change.nowMs,
          edited_at: null,
        }
        await transaction.insertInto('analysis_comments').values(row).execute()
        return { action: 'analysis.commented', details: { comment: row.id } }
      }),

    editComment: (projectId, { analysisId, commentId }, text, change) =>
      changed(projectId, [analysisId], change, async (transaction, { id }) => {
        const comment = await requireComment(transaction, projectId, id, commentId)
        if (comment.author !== change.by) {
          throw new AppError('forbidden', 'Only the author of a comment can edit it: write one of your own.')
        }
        if (comment.text === text) return null
        await transaction
          .updateTable('analysis_comments')
          .set({ body: text, edited_at: change.nowMs })
          .where('id', '=', commentId)
          .execute()
        return { action: 'analysis.comment_edited', details: { comment: commentId } }
      }),

    deleteComment: (projectId, { analysisId, commentId }, isAnyones, change) =>
      changed(projectId, [analysisId], change, async (transaction, { id }) => {
        const comment = await requireComment(transaction, projectId, id, commentId)
        if (comment.author !== change.by && !isAnyones) {
          throw new AppError('forbidden', 'Only its author or an owner of the project can delete a comment: ask them.')
        }
        await transaction.deleteFrom('analysis_comments').where('id', '=', commentId).execute()
        return { action: 'analysis.comment_deleted', details: { comment: commentId, author: comment.author } }
      }),
  }
}

/** With its errors: what the other one has of its own stays, and all comments are kept. */
export async function moveNotes(transaction: ControlTransaction, from: string, into: string): Promise<void> {
  await transaction
    .updateTable('analysis_comments')
    .set({ analysis_id: into })
    .where('analysis_id', '=', from)
    .execute()
  const [source, target] = [await noteOf(transaction, from), await noteOf(transaction, into)]
  if (source === undefined) return
  await transaction.deleteFrom('analysis_notes').where('analysis_id', '=', from).execute()
  const { assignee, assigned_at, assigned_by, ticket, ticket_at, ticket_by } = source
  await writeNote(transaction, source.project_id, into, {
    ...((target?.assignee ?? null) === null && { assignee, assigned_at, assigned_by }),
    ...((target?.ticket ?? null) === null && { ticket, ticket_at, ticket_by }),
  })
}

export async function purgeNotes(db: Kysely<ControlSchema>, projectId: ProjectId): Promise<void> {
  await db.deleteFrom('analysis_notes').where('project_id', '=', projectId).execute()
  await db.deleteFrom('analysis_comments').where('project_id', '=', projectId).execute()
}

type NoteRow = ControlSchema['analysis_notes']

function noteOf(transaction: ControlTransaction, id: string): Promise<NoteRow | undefined> {
  return transaction.selectFrom('analysis_notes').selectAll().where('analysis_id', '=', id).executeTakeFirst()
}

async function writeNote(
  transaction: ControlTransaction,
  projectId: string,
  id: string,
  values: Partial<Omit<NoteRow, 'analysis_id' | 'project_id'>>,
): Promise<void> {
  if (Object.keys(values).length === 0) return
  const empty = { assignee: null, assigned_at: null, assigned_by: null, ticket: null, ticket_at: null, ticket_by: null }
  await transaction
    .insertInto('analysis_notes')
    .values({ analysis_id: id, project_id: projectId, ...empty, ...values })
    .onConflict((conflict) => conflict.column('analysis_id').doUpdateSet(values))
    .execute()
}

async function commentsOf(db: Kysely<ControlSchema>, projectId: ProjectId, id: string): Promise<StoredComment[]> {
  const rows = await db
    .selectFrom('analysis_comments')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('analysis_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    author: row.author,
    text: row.body,
    createdAt: isoTime(row.created_at),
    editedAt: isoTimeOrNull(row.edited_at),
  }))
}

async function requireComment(
  transaction: ControlTransaction,
  projectId: ProjectId,
  analysisId: string,
  commentId: string,
): Promise<StoredComment> {
  const found = (await commentsOf(transaction, projectId, analysisId)).find(({ id }) => id === commentId)
  if (found) return found
  throw new AppError('not_found', 'This analysis has no such comment: it may have been deleted. Reload the analysis.')
}
