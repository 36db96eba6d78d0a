/** What people saved of the logs page, under names of their own. A view that is not shared is its owner's alone. */

import { type ViewSearch, viewSearch } from '@tidemark/wire/dashboard/view'
import { MAX_OWN_VIEWS, MAX_SHARED_VIEWS, MAX_VIEW_BYTES, MAX_VIEW_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { parseJson } from '@tidemark/wire/parse-json'
import { withCommas } from '@tidemark/wire/text/counted'
import { firstCodePoints } from '@tidemark/wire/text/first-code-points'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { newId } from '../model/id.ts'
import type { ProjectId } from '../model/project.ts'
import { type AuditAction, appendAudit, type Change } from './audit.ts'
import { isoTime } from './database/columns.ts'
import { type ControlDatabase, type ControlTransaction, withLock } from './database/database.ts'
import type { ControlSchema } from './database/schema.ts'
import { checkedGivenName, nameKey } from './given-name.ts'

export type StoredView = {
  id: string
  name: string
  isShared: boolean
  search: ViewSearch
  /** A person's id. */
  owner: string
  createdAt: string
  updatedAt: string
}

export type ViewContent = Pick<StoredView, 'name' | 'isShared' | 'search'>

export type Views = {
  /** Those of the person and the shared ones, by name. */
  list(projectId: ProjectId, personId: string): Promise<StoredView[]>
  /** It belongs to the person who makes the change. `conflict` when they have one of that name, or there are too many. */
  add(projectId: ProjectId, view: ViewContent, change: Change): Promise<StoredView>
  /**
   * The view keeps its owner. `remake` gets it as it is now, says what it becomes, and throws when the person may not
   * change it. Null when the view no longer exists.
   */
  change(
    projectId: ProjectId,
    id: string,
    remake: (before: StoredView) => ViewContent,
    change: Change,
  ): Promise<StoredView | null>
  /** `check` gets the view as it is now, and throws when the person may not delete it. False when it no longer exists. */
  remove(projectId: ProjectId, id: string, check: (before: StoredView) => void, change: Change): Promise<boolean>
  /** All of a deleted project. */
  purge(projectId: string): Promise<void>
}

type ViewRow = ControlSchema['saved_views']
type Entry = { projectId: ProjectId; before: ViewRow | undefined; after: ViewRow | undefined }

export function createViews(database: ControlDatabase): Views {
  const { db } = database

  const seen = (projectId: ProjectId, personId: string) =>
    db
      .selectFrom('saved_views')
      .selectAll()
      .where('project_id', '=', projectId)
      .where(({ or, eb }) => or([eb('owner', '=', personId), eb('is_shared', '=', 1)]))

  /** What a person keeps for themself is nobody's business: only what others see, or saw, is noted. */
  async function note(transaction: ControlTransaction, { projectId, before, after }: Entry, change: Change) {
    const action = actionOf(before?.is_shared === 1, after?.is_shared === 1, after === undefined)
    const row = after ?? before
    if (action === null || row === undefined) return
    // What was private before it was shared stays so.
    const seen = before?.is_shared === 1 ? before : undefined
    const details = {
      view: row.id,
      name: row.name,
      ownerId: row.owner,
      ...(seen && after && seen.name !== after.name && { nameBefore: seen.name }),
      ...(seen && after && seen.search !== after.search && { searchBefore: seen.search, search: after.search }),
    }
    await appendAudit(database, transaction, change, { action, projectId, details })
  }

  return {
    async list(projectId, personId) {
      const rows = await seen(projectId, personId).orderBy('name_key').orderBy('id').execute()
      return rows.flatMap((row) => toView(row) ?? [])
    },

    add: (projectId, view, change) =>
      withLock(database, 'views', async (transaction) => {
        const row: ViewRow = {
          id: newId('viw', change.nowMs),
          project_id: projectId,
          owner: change.by,
          ...columnsOf(view),
          created_at: change.nowMs,
          updated_at: change.nowMs,
        }
        await requireRoom(transaction, row, change.by)
        await transaction.insertInto('saved_views').values(row).execute()
        await note(transaction, { projectId, before: undefined, after: row }, change)
        return { ...view, name: row.name, ...described(row) }
      }),

    change: (projectId, id, remake, change) =>
      withLock(database, 'views', async (transaction) => {
        const before = await rowOf(transaction, projectId, id)
        const known = before && toView(before)
        if (!before || !known) return null
        const view = remake(known)
        const after: ViewRow = { ...before, ...columnsOf(view), updated_at: change.nowMs }
        await requireRoom(transaction, after, change.by)
        await transaction.updateTable('saved_views').set(after).where('id', '=', id).execute()
        await note(transaction, { projectId, before, after }, change)
        return { ...view, name: after.name, ...described(after) }
      }),

    remove: (projectId, id, check, change) =>
      withLock(database, 'views', async (transaction) => {
        const before = await rowOf(transaction, projectId, id)
        const known = before && toView(before)
        if (!before || !known) return false
        check(known)
        await transaction.deleteFrom('saved_views').where('id', '=', id).execute()
        await note(transaction, { projectId, before, after: undefined }, change)
        return true
      }),

    async purge(projectId) {
      await db.deleteFrom('saved_views').where('project_id', '=', projectId).execute()
    },
  }
}

function rowOf(transaction: ControlTransaction, projectId: ProjectId, id: string): Promise<ViewRow | undefined> {
  return transaction
    .selectFrom('saved_views')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

function actionOf(wasShared: boolean, isShared: boolean, isGone: boolean): AuditAction | null {
  if (wasShared && isGone) return 'view.deleted'
  if (wasShared) return isShared ? 'view.changed' : 'view.unshared'
  return isShared ? 'view.shared' : null
}

function columnsOf({ name: given, isShared, search }: ViewContent) {
  const name = checkedGivenName(given, 'The name of a view', { maxCharacters: MAX_VIEW_NAME_CHARACTERS })
  const text = JSON.stringify(search)
  if (Buffer.byteLength(text) > MAX_VIEW_BYTES) {
    throw new AppError(
      'invalid_request',
      `A view holds at most ${withCommas(MAX_VIEW_BYTES)} bytes. Shorten its query or its list of columns.`,
    )
  }
  return { name, name_key: nameKey(name), is_shared: isShared ? 1 : 0, search: text }
}

/** Refuses a second view of the same name and owner, as far as `by` may know of it, and views beyond the limits. */
async function requireRoom(transaction: ControlTransaction, row: ViewRow, by: string): Promise<void> {
  const known = await transaction
    .selectFrom('saved_views')
    .select(['id', 'owner', 'name', 'name_key', 'is_shared'])
    .where('project_id', '=', row.project_id)
    .where(({ or, eb }) => or([eb('owner', '=', row.owner), eb('is_shared', '=', 1)]))
    .execute()
  const others = known.filter(({ id }) => id !== row.id)
  const named = others.find(({ owner, name_key }) => owner === row.owner && name_key === row.name_key)
  if (named?.is_shared === 0 && row.owner !== by) await moveAside(transaction, named, known)
  else if (named !== undefined) {
    throw new AppError('conflict', `There is already a view called "${row.name}". Choose another name.`, {
      fields: [{ path: 'name', message: 'is taken' }],
    })
  }
  const alike = others.filter(({ is_shared }) => is_shared === row.is_shared)
  if (row.is_shared === 1 && alike.length >= MAX_SHARED_VIEWS) {
    throw new AppError('conflict', `A project shares at most ${MAX_SHARED_VIEWS} views. Delete one first.`)
  }
  // Checked for one's own views only: making the shared view of somebody else private must not tell how many views they keep.
  if (row.is_shared === 0 && row.owner === by && alike.length >= MAX_OWN_VIEWS) {
    throw new AppError('conflict', `You can keep at most ${MAX_OWN_VIEWS} views to yourself here. Delete one first.`)
  }
}

type Named = Pick<ViewRow, 'id' | 'owner' | 'name' | 'name_key'>

/** To refuse a name because its owner keeps a private view of it would tell of that view: it gets another name instead. */
async function moveAside(transaction: ControlTransaction, { id, owner, name }: Named, known: readonly Named[]) {
  const taken = new Set(known.filter((one) => one.owner === owner).map(({ name_key }) => name_key))
  const numbered = (number: number) =>
    `${firstCodePoints(name, MAX_VIEW_NAME_CHARACTERS - ` ${number}`.length)} ${number}`
  let number = 2
  while (taken.has(nameKey(numbered(number)))) number++
  const free = numbered(number)
  await transaction
    .updateTable('saved_views')
    .set({ name: free, name_key: nameKey(free) })
    .where('id', '=', id)
    .execute()
}

/** A later version may keep more in a view: what this one does not know is left out. Null when nothing can be read. */
function toView(row: ViewRow): StoredView | null {
  const search = storedSearch.safeParse(parseJson(row.search))
  if (!search.success) return null
  return { name: row.name, isShared: row.is_shared === 1, search: search.data, ...described(row) }
}

const storedSearch = z.object(viewSearch.shape)

function described(row: ViewRow): Omit<StoredView, keyof ViewContent> {
  return {
    id: row.id,
    owner: row.owner,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }
}
