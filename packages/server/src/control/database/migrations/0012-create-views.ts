import type { MigrationStep } from '../database.ts'

export const createViewsTable: MigrationStep = async ({ schema }, { text, integer, tableOptions }) => {
  await schema
    .createTable('saved_views')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('owner', text, (c) => c.notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('name_key', text, (c) => c.notNull())
    .addColumn('is_shared', integer, (c) => c.notNull())
    .addColumn('search', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('updated_at', integer, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('saved_views_name')
    .unique()
    .on('saved_views')
    .columns(['project_id', 'owner', 'name_key'])
    .execute()
}
