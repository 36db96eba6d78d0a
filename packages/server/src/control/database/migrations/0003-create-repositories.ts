import type { MigrationStep } from '../database.ts'

export const createRepositories: MigrationStep = async ({ schema }, { text, integer, tableOptions }) => {
  await schema
    .createTable('repositories')
    .addColumn('project_id', text, (c) => c.primaryKey().notNull().references('projects.id'))
    .addColumn('id', text, (c) => c.notNull().unique())
    .addColumn('url', text, (c) => c.notNull())
    .addColumn('kind', text, (c) => c.notNull())
    .addColumn('credential_kind', text, (c) => c.notNull())
    .addColumn('credential', text)
    .addColumn('branch', text)
    .addColumn('default_branch', text, (c) => c.notNull())
    .addColumn('head_sha', text, (c) => c.notNull())
    .addColumn('refs_digest', text, (c) => c.notNull())
    .addColumn('generation', integer, (c) => c.notNull())
    .addColumn('mirrored_generation', integer)
    .addColumn('checked_at', integer, (c) => c.notNull())
    .addColumn('next_check_at', integer, (c) => c.notNull())
    .addColumn('failures', integer, (c) => c.notNull())
    .addColumn('last_synced_at', integer)
    .addColumn('last_error', text)
    .addColumn('connected_at', integer, (c) => c.notNull())
    .addColumn('connected_by', text, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
}
