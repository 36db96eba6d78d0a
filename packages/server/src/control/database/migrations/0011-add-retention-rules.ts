import type { MigrationStep } from '../database.ts'

/** Of a project, and of a batch: those by which its records were judged. */
export const addRetentionRules: MigrationStep = async ({ schema }, { text }) => {
  for (const table of ['projects', 'ingest_batches']) {
    await schema
      .alterTable(table)
      .addColumn('retention_rules', text, (c) => c.notNull().defaultTo(''))
      .execute()
  }
}
