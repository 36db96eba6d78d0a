import type { Transaction } from 'kysely'
import type { ColumnTypes } from '../database.ts'
import type { ControlSchema } from '../schema.ts'

/** Of a project, and of a batch: those by which its records were judged. */
export async function addRetentionRules({ schema }: Transaction<ControlSchema>, { text }: ColumnTypes): Promise<void> {
  for (const table of ['projects', 'ingest_batches']) {
    await schema
      .alterTable(table)
      .addColumn('retention_rules', text, (c) => c.notNull().defaultTo(''))
      .execute()
  }
}
