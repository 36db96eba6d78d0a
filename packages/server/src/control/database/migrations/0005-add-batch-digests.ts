import type { MigrationStep } from '../database.ts'

/** Batches that were claimed before are known by their id alone: their digest is empty. */
export const addBatchDigests: MigrationStep = async ({ schema }, { text, integer }) => {
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
