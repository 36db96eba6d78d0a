import type { MigrationStep } from '../database.ts'

export const createNotes: MigrationStep = async ({ schema }, { text, integer, tableOptions }) => {
  await schema
    .createTable('analysis_notes')
    .addColumn('analysis_id', text, (c) => c.primaryKey().notNull())
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id'))
    .addColumn('assignee', text)
    .addColumn('assigned_at', integer)
    .addColumn('assigned_by', text)
    .addColumn('ticket', text)
    .addColumn('ticket_at', integer)
    .addColumn('ticket_by', text)
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('analysis_notes_project').on('analysis_notes').columns(['project_id']).execute()

  await schema
    .createTable('analysis_comments')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('analysis_id', text, (c) => c.notNull())
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id'))
    .addColumn('author', text, (c) => c.notNull())
    .addColumn('body', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('edited_at', integer)
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('analysis_comments_analysis')
    .on('analysis_comments')
    .columns(['analysis_id', 'created_at', 'id'])
    .execute()
  await schema.createIndex('analysis_comments_project').on('analysis_comments').columns(['project_id']).execute()
}
