import type { Transaction } from 'kysely'
import type { ColumnTypes } from '../database.ts'
import type { ControlSchema } from '../schema.ts'

/** Batches that were claimed before are known by their id alone: their digest is empty. */
export async function addBatchDigests(
  { schema }: Transaction<ControlSchema>,
  { text, integer }: ColumnTypes,
): Promise<void> {
  await schema
    .alterTable('ingest_batches')
    .addColumn('digest', text, (c) => c.notNull().defaultTo(''))
    .execute()
  await schema
    .alterTable('ingest_batches')
    .addColumn('received_at', integer, (c) => c.notNull().defaultTo(0))
    .execute()
  await schema
    .alterTable('ingest_batches')
    .addColumn('retention_days', integer, (c) => c.notNull().defaultTo(0))
    .execute()
}
