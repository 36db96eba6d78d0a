import type { MigrationStep } from '../database.ts'

/** What was ignored by rules before is not known: it stays as it is. */
export const createIgnoredAnalyses: MigrationStep = async ({ schema }, { text, integer, tableOptions }) => {
  await schema
    .createTable('ignored_analyses')
    .addColumn('analysis_id', text, (c) => c.primaryKey().notNull())
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id'))
    .addColumn('rule_id', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('resolved_at_us', integer)
    .addColumn('state_changed_at', integer)
    .addColumn('state_changed_by', text)
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('ignored_analyses_rule').on('ignored_analyses').columns(['project_id', 'rule_id']).execute()
}
