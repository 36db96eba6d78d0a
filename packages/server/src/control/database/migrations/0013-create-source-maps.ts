import type { MigrationStep } from '../database.ts'

export const createSourceMapTables: MigrationStep = async ({ schema }, { text, integer, tableOptions }) => {
  await schema.alterTable('analysis_samples').addColumn('source_stack', text).execute()
  const ofProject = (table: string) =>
    schema
      .createTable(table)
      .addColumn('project_id', text, (c) => c.notNull().references('projects.id').onDelete('cascade'))
  await ofProject('source_map_releases')
    .addColumn('release', text, (c) => c.notNull())
    .addColumn('used_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('source_map_releases_key', ['project_id', 'release'])
    .modifyEnd(tableOptions)
    .execute()
  await ofProject('source_maps')
    .addColumn('release', text, (c) => c.notNull())
    .addColumn('file', text, (c) => c.notNull())
    .addColumn('digest', text, (c) => c.notNull())
    .addColumn('uploaded_at', integer, (c) => c.notNull())
    .addColumn('uploaded_by', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('source_maps_key', ['project_id', 'release', 'file'])
    .modifyEnd(tableOptions)
    .execute()
  // For what nothing refers to any more.
  await schema.createIndex('source_maps_digest').on('source_maps').columns(['project_id', 'digest']).execute()
  await ofProject('source_map_contents')
    .addColumn('digest', text, (c) => c.notNull())
    .addColumn('bytes', integer, (c) => c.notNull())
    .addColumn('loaded_bytes', integer, (c) => c.notNull())
    .addColumn('sources', integer, (c) => c.notNull())
    .addColumn('mappings', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('source_map_contents_key', ['project_id', 'digest'])
    .modifyEnd(tableOptions)
    .execute()
  // Added up for every map that comes.
  await schema
    .createIndex('source_map_contents_bytes')
    .on('source_map_contents')
    .columns(['project_id', 'bytes'])
    .execute()
  await ofProject('source_map_parts')
    .addColumn('digest', text, (c) => c.notNull())
    .addColumn('part', integer, (c) => c.notNull())
    .addColumn('content', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('source_map_parts_key', ['project_id', 'digest', 'part'])
    .modifyEnd(tableOptions)
    .execute()
}
