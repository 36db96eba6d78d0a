/**
 * Takes source maps away in steps, because a long delete would keep other writers waiting: first what refers to a map, a
 * release at a time, then what nothing refers to any more. What a crash leaves between the two goes with the next removal.
 */
import { sql } from 'kysely'
import { type ControlDatabase, type ControlTransaction, withLock } from '../database/database.ts'

/** Of unused maps in one step, as stored; a larger one is a step of its own. */
export const REMOVED_BYTES_AT_ONCE = 16 * 1024 * 1024
const REMOVED_AT_ONCE = 200

/** Says how many files it had: no release has more than one step takes. */
export async function removeRelease(
  transaction: ControlTransaction,
  projectId: string,
  release: string,
): Promise<number> {
  let files = 0
  for (const table of ['source_maps', 'source_map_releases'] as const) {
    const { numDeletedRows } = await transaction
      .deleteFrom(table)
      .where('project_id', '=', projectId)
      .where('release', '=', release)
      .executeTakeFirst()
    if (table === 'source_maps') files = Number(numDeletedRows)
  }
  return files
}

/** Those that were last used before; says how many. */
export async function removeReleases(database: ControlDatabase, projectId: string, beforeMs: number): Promise<number> {
  const rows = await database.db
    .selectFrom('source_map_releases')
    .select('release')
    .where('project_id', '=', projectId)
    .where('used_at', '<', beforeMs)
    .execute()
  let removed = 0
  for (const { release } of rows) {
    removed += await withLock(database, 'sourceMaps', async (transaction) => {
      // It may have been used since.
      const isPast = await transaction
        .selectFrom('source_map_releases')
        .select('release')
        .where('project_id', '=', projectId)
        .where('release', '=', release)
        .where('used_at', '<', beforeMs)
        .executeTakeFirst()
      if (isPast === undefined) return 0
      await removeRelease(transaction, projectId, release)
      return 1
    })
  }
  return removed
}

export async function removeUnused(database: ControlDatabase, projectId: string): Promise<void> {
  for (;;) {
    const removed = await withLock(database, 'sourceMaps', async (transaction) => {
      const unused = await transaction
        .selectFrom('source_map_contents')
        .select(['digest', 'bytes'])
        .where('project_id', '=', projectId)
        .where(
          sql<boolean>`not exists (select 1 from source_maps m where m.project_id = source_map_contents.project_id and m.digest = source_map_contents.digest)`,
        )
        .limit(REMOVED_AT_ONCE)
        .execute()
      let bytes = 0
      const digests: string[] = []
      for (const one of unused) {
        bytes += one.bytes
        if (digests.length > 0 && bytes > REMOVED_BYTES_AT_ONCE) break
        digests.push(one.digest)
      }
      if (digests.length > 0) await removeContents(transaction, projectId, digests)
      return digests.length
    })
    if (removed === 0) return
  }
}

/** What a map held that another one replaced, unless a file has it still. */
export async function removeReplaced(
  transaction: ControlTransaction,
  projectId: string,
  digest: string,
): Promise<void> {
  const isUsed = await transaction
    .selectFrom('source_maps')
    .select('digest')
    .where('project_id', '=', projectId)
    .where('digest', '=', digest)
    .limit(1)
    .executeTakeFirst()
  if (isUsed === undefined) await removeContents(transaction, projectId, [digest])
}

async function removeContents(
  transaction: ControlTransaction,
  projectId: string,
  digests: readonly string[],
): Promise<void> {
  for (const table of ['source_map_parts', 'source_map_contents'] as const) {
    await transaction.deleteFrom(table).where('project_id', '=', projectId).where('digest', 'in', digests).execute()
  }
}
