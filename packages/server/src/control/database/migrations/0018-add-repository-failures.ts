import type { MigrationStep } from '../database.ts'

/** Null for a failure of before: when it happened was not stored. */
export const addRepositoryFailures: MigrationStep = async ({ schema }, { integer }) => {
  await schema.alterTable('repositories').addColumn('failed_at', integer).execute()
}
