import type { MigrationStep } from '../database.ts'

/** Null for samples that were kept before: their records may be gone, and nothing else says what sent them. */
export const addSampleReleases: MigrationStep = async ({ schema }, { text }) => {
  await schema.alterTable('analysis_samples').addColumn('release', text).execute()
}
