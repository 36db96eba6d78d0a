/**
 * Source maps by release and file. What a map holds is stored once in a project, however many releases and files have it,
 * because most chunks of a bundle do not change from one release to the next; it goes when nothing refers to it any more.
 */
import { MAX_SOURCE_MAPS_OF_A_RELEASE } from '@tidemark/wire/limits'
import { HOUR_MS } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import type { ProjectId } from '../../model/project.ts'
import { appendAudit, type Change } from '../audit.ts'
import { isoTime } from '../database/columns.ts'
import { type ControlDatabase, type ControlTransaction, chunks, withLock } from '../database/database.ts'
import { addContent, contentOf, hasContent, type MapContent } from './map-contents.ts'
import { removeRelease, removeReleases, removeReplaced, removeUnused } from './remove-maps.ts'
import { requireRoom } from './require-room.ts'

export type MappedFile = { file: string; digest: string; loadedBytes: number }

type MappedRelease = { release: string; files: number; bytes: number; uploadedAt: string; usedAt: string | null }

type FileOfRelease = { file: string; bytes: number; sources: number; mappings: number; uploadedAt: string }

export type NewMap = { release: string; file: string; digest: string; content: MapContent }

type PutMap = 'created' | 'replaced' | 'unchanged'

type Page = { after: string; limit: number }

export type SourceMaps = {
  /** All or nothing, counted under one lock: `conflict` when the release or the project has no room for it. */
  put(projectId: ProjectId, map: NewMap, change: Change): Promise<PutMap>
  /** Which releases of these projects have maps. */
  releases(projectIds: readonly string[]): Promise<{ projectId: string; release: string }[]>
  /** Those of these paths, by key. */
  filesAt(projectId: string, release: string, paths: readonly string[]): Promise<MappedFile[]>
  /** Of all its files. */
  paths(projectId: string, release: string): Promise<string[]>
  /** Compressed; null when it is gone, or goes meanwhile. */
  content(projectId: string, digest: string): Promise<Buffer | null>
  /** An error of the release was read by its maps, so that they are kept as long as it is. */
  used(projectId: string, release: string, nowMs: number): Promise<void>
  /** By name. */
  listReleases(projectId: ProjectId, page: Page): Promise<MappedRelease[]>
  listFiles(projectId: ProjectId, release: string, page: Page): Promise<FileOfRelease[]>
  /** Says how many files it had. */
  remove(projectId: ProjectId, release: string, change: Change): Promise<number>
  /** Those of releases that were last used before, a step at a time; says how many releases. */
  prune(projectId: string, beforeMs: number): Promise<number>
  /** All of a deleted project, a step at a time. */
  purge(projectId: string): Promise<void>
}

/** A release in use is written down this often, and at its first use after an upload. */
const USED_EVERY_MS = HOUR_MS

export function createSourceMaps(database: ControlDatabase): SourceMaps {
  const { db } = database

  return {
    put: (projectId, map, { by, nowMs }) =>
      withLock(database, 'sourceMaps', async (transaction) => {
        await requireProject(transaction, projectId)
        const before = await digestOf(transaction, projectId, map)
        await touch(transaction, projectId, map.release, nowMs)
        const { release, file, digest, content } = map
        const row = { project_id: projectId, release, file, digest, uploaded_at: nowMs, uploaded_by: by }
        await transaction
          .insertInto('source_maps')
          .values(row)
          .onConflict((conflict) => conflict.columns(['project_id', 'release', 'file']).doUpdateSet(row))
          .execute()
        if (before === digest) return 'unchanged'
        const isNewContent = !(await hasContent(transaction, projectId, digest))
        if (isNewContent) await addContent(transaction, projectId, digest, content)
        if (before !== undefined) await removeReplaced(transaction, projectId, before)
        await requireRoom(transaction, projectId, { release, isNewFile: before === undefined, isNewContent })
        return before === undefined ? 'created' : 'replaced'
      }),

    async releases(projectIds) {
      const found: { projectId: string; release: string }[] = []
      for (const some of chunks(projectIds)) {
        const rows = await db
          .selectFrom('source_map_releases')
          .select(['project_id', 'release'])
          .where('project_id', 'in', some)
          .execute()
        for (const { project_id, release } of rows) found.push({ projectId: project_id, release })
      }
      return found
    },

    async filesAt(projectId, release, paths) {
      const found: MappedFile[] = []
      for (const some of chunks(paths)) {
        const rows = await withContents()
          .select(['source_maps.file', 'source_maps.digest', 'source_map_contents.loaded_bytes'])
          .where('source_maps.project_id', '=', projectId)
          .where('source_maps.release', '=', release)
          .where('source_maps.file', 'in', some)
          .execute()
        for (const { file, digest, loaded_bytes } of rows) found.push({ file, digest, loadedBytes: loaded_bytes })
      }
      return found
    },

    async paths(projectId, release) {
      const rows = await db
        .selectFrom('source_maps')
        .select('file')
        .where('project_id', '=', projectId)
        .where('release', '=', release)
        .limit(MAX_SOURCE_MAPS_OF_A_RELEASE)
        .execute()
      return rows.map(({ file }) => file)
    },

    content: (projectId, digest) => contentOf(db, projectId, digest),

    async used(projectId, release, nowMs) {
      await db
        .updateTable('source_map_releases')
        // Later than its last upload even where another node, whose clock is ahead, took that.
        .set(({ fn, eb, selectFrom }) => ({
          used_at: fn.coalesce(
            selectFrom('source_maps')
              .select((map) => {
                const after = map('uploaded_at', '+', 1)
                return map.fn.max(map.case().when(after, '>', nowMs).then(after).else(nowMs).end()).as('used_at')
              })
              .where('project_id', '=', projectId)
              .where('release', '=', release),
            eb.val(nowMs),
          ),
        }))
        .where('project_id', '=', projectId)
        .where('release', '=', release)
        .where((eb) =>
          eb.or([
            eb('used_at', '<', nowMs - USED_EVERY_MS),
            eb(
              'used_at',
              '<=',
              eb
                .selectFrom('source_maps')
                .select(({ fn }) => fn.max('uploaded_at').as('uploaded_at'))
                .where('project_id', '=', projectId)
                .where('release', '=', release),
            ),
          ]),
        )
        .execute()
    },

    async listReleases(projectId, { after, limit }) {
      const rows = await withContents()
        .innerJoin('source_map_releases', (join) =>
          join
            .onRef('source_map_releases.project_id', '=', 'source_maps.project_id')
            .onRef('source_map_releases.release', '=', 'source_maps.release'),
        )
        .select(['source_maps.release', 'source_map_releases.used_at'])
        .select(({ fn }) => [
          fn.countAll<number>().as('files'),
          fn.sum<number>('source_map_contents.bytes').as('bytes'),
          fn.max('source_maps.uploaded_at').as('uploaded_at'),
        ])
        .where('source_maps.project_id', '=', projectId)
        .where('source_maps.release', '>', after)
        .groupBy(['source_maps.release', 'source_map_releases.used_at'])
        .orderBy('source_maps.release')
        .limit(limit)
        .execute()
      return rows.map(({ release, files, bytes, uploaded_at, used_at }) => ({
        release,
        files: Number(files),
        bytes: Number(bytes),
        uploadedAt: isoTime(Number(uploaded_at)),
        usedAt: used_at > Number(uploaded_at) ? isoTime(used_at) : null,
      }))
    },

    async listFiles(projectId, release, { after, limit }) {
      const rows = await withContents()
        .select(['source_maps.file', 'source_maps.uploaded_at'])
        .select(['source_map_contents.bytes', 'source_map_contents.sources', 'source_map_contents.mappings'])
        .where('source_maps.project_id', '=', projectId)
        .where('source_maps.release', '=', release)
        .where('source_maps.file', '>', after)
        .orderBy('source_maps.file')
        .limit(limit)
        .execute()
      return rows.map(({ uploaded_at, ...row }) => ({ ...row, uploadedAt: isoTime(uploaded_at) }))
    },

    async remove(projectId, release, change) {
      const files = await withLock(database, 'sourceMaps', async (transaction) => {
        const removed = await removeRelease(transaction, projectId, release)
        if (removed > 0) {
          const details = { release, files: removed }
          await appendAudit(database, transaction, change, { action: 'source_maps.deleted', projectId, details })
        }
        return removed
      })
      await removeUnused(database, projectId)
      return files
    },

    async prune(projectId, beforeMs) {
      const releases = await removeReleases(database, projectId, beforeMs)
      await removeUnused(database, projectId)
      return releases
    },

    async purge(projectId) {
      await removeReleases(database, projectId, Number.MAX_SAFE_INTEGER)
      await removeUnused(database, projectId)
    },
  }

  function withContents() {
    return db
      .selectFrom('source_maps')
      .innerJoin('source_map_contents', (join) =>
        join
          .onRef('source_map_contents.project_id', '=', 'source_maps.project_id')
          .onRef('source_map_contents.digest', '=', 'source_maps.digest'),
      )
  }
}

/** It may have been deleted, and emptied, since the key was looked up: nothing would remove what came after. */
async function requireProject(transaction: ControlTransaction, projectId: ProjectId): Promise<void> {
  const living = await transaction
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!living) throw new AppError('unauthorized', 'The project of this key was deleted: use a key of another one.')
}

async function digestOf(
  transaction: ControlTransaction,
  projectId: ProjectId,
  { release, file }: NewMap,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('source_maps')
    .select('digest')
    .where('project_id', '=', projectId)
    .where('release', '=', release)
    .where('file', '=', file)
    .executeTakeFirst()
  return row?.digest
}

async function touch(
  transaction: ControlTransaction,
  projectId: ProjectId,
  release: string,
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto('source_map_releases')
    .values({ project_id: projectId, release, used_at: nowMs })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'release'])
        .doUpdateSet({ used_at: nowMs })
        // A node whose clock is ahead may have used it: that is never taken back.
        .where('source_map_releases.used_at', '<', nowMs),
    )
    .execute()
}
