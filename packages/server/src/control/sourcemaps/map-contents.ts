/** What a map holds, stored as base64 in parts, because only text and integers exist in both databases. */
import type { Kysely } from 'kysely'
import { type ControlTransaction, chunks } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'

/** As it is looked up, compressed. */
export type MapContent = { compressed: Buffer; loadedBytes: number; sources: number; mappings: number }

/** As base64 a third more: what a copy of the store reads at once stays small. */
const PART_BYTES = 48 * 1024
/** Written and read at once: about a megabyte, which a slow link takes within a statement's time. */
const PARTS_A_STATEMENT = 20
/** Compressed; null when it is gone, or goes meanwhile. */
export async function contentOf(db: Kysely<ControlSchema>, projectId: string, digest: string): Promise<Buffer | null> {
  const whole = await db
    .selectFrom('source_map_contents')
    .select('bytes')
    .where('project_id', '=', projectId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (whole === undefined) return null
  const parts: Buffer[] = []
  let bytes = 0
  while (bytes < whole.bytes) {
    const rows = await db
      .selectFrom('source_map_parts')
      .select('content')
      .where('project_id', '=', projectId)
      .where('digest', '=', digest)
      .where('part', '>=', parts.length)
      .orderBy('part')
      .limit(PARTS_A_STATEMENT)
      .execute()
    if (rows.length === 0) return null
    for (const { content } of rows) {
      bytes += content.length
      parts.push(Buffer.from(content, 'base64'))
    }
  }
  return Buffer.concat(parts)
}

export async function hasContent(transaction: ControlTransaction, projectId: string, digest: string) {
  const row = await transaction
    .selectFrom('source_map_contents')
    .select('digest')
    .where('project_id', '=', projectId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row !== undefined
}

export async function addContent(
  transaction: ControlTransaction,
  projectId: string,
  digest: string,
  { compressed, loadedBytes, sources, mappings }: MapContent,
): Promise<void> {
  const parts: ControlSchema['source_map_parts'][] = []
  let bytes = 0
  for (let at = 0; at < compressed.length; at += PART_BYTES) {
    const content = compressed.toString('base64', at, Math.min(compressed.length, at + PART_BYTES))
    bytes += content.length
    parts.push({ project_id: projectId, digest, part: parts.length, content })
  }
  await transaction
    .insertInto('source_map_contents')
    .values({ project_id: projectId, digest, bytes, loaded_bytes: loadedBytes, sources, mappings })
    .execute()
  for (const some of chunks(parts, PARTS_A_STATEMENT))
    await transaction.insertInto('source_map_parts').values(some).execute()
}
