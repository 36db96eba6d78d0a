import type { MigrationStep } from '../database.ts'

export const createUsageDays: MigrationStep = async ({ schema }, { text, integer, tableOptions }) => {
  await schema
    .createTable('usage_days')
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('day', text, (c) => c.notNull())
    .addColumn('records', integer, (c) => c.notNull())
    .addColumn('bytes', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('usage_days_key', ['project_id', 'day'])
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('usage_days_age').on('usage_days').column('day').execute()
}
