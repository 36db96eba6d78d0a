import type { MigrationStep } from '../database.ts'

export const createIngestCounts: MigrationStep = async ({ schema }, { text, integer, tableOptions }) => {
  await schema
    .createTable('ingest_counts')
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('key_id', text, (c) => c.notNull())
    .addColumn('hour', integer, (c) => c.notNull())
    .addColumn('outcome', text, (c) => c.notNull())
    .addColumn('amount', integer, (c) => c.notNull())
    .addColumn('last_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('ingest_counts_key', ['project_id', 'key_id', 'hour', 'outcome'])
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('ingest_counts_age').on('ingest_counts').column('hour').execute()
}
