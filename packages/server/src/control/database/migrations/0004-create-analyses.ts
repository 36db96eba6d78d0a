import type { Transaction } from 'kysely'
import type { ColumnTypes } from '../database.ts'
import type { ControlSchema } from '../schema.ts'

export async function createAnalyses(
  { schema }: Transaction<ControlSchema>,
  { text, integer, tableOptions }: ColumnTypes,
): Promise<void> {
  await schema
    .createTable('analyses')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id'))
    .addColumn('environment', text, (c) => c.notNull())
    .addColumn('fingerprint', text, (c) => c.notNull())
    .addColumn('split_value', text, (c) => c.notNull())
    .addColumn('title', text, (c) => c.notNull())
    .addColumn('type', text, (c) => c.notNull())
    .addColumn('place', text, (c) => c.notNull())
    .addColumn('service', text, (c) => c.notNull())
    .addColumn('level', text, (c) => c.notNull())
    .addColumn('grouping', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('first_seen_us', integer, (c) => c.notNull())
    .addColumn('last_seen_us', integer, (c) => c.notNull())
    .addColumn('errors', integer, (c) => c.notNull())
    .addColumn('anchor_us', integer, (c) => c.notNull())
    .addColumn('episode_count', integer, (c) => c.notNull())
    .addColumn('episodes', text, (c) => c.notNull())
    .addColumn('resolved_at_us', integer)
    .addColumn('state_changed_at', integer)
    .addColumn('state_changed_by', text)
    .addColumn('merged_into', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('analyses_recent').on('analyses').columns(['project_id', 'last_seen_us', 'id']).execute()
  await schema.createIndex('analyses_made').on('analyses').columns(['project_id', 'created_at']).execute()
  await schema.createIndex('analyses_group').on('analyses').columns(['project_id', 'fingerprint']).execute()

  await schema
    .createTable('analysis_samples')
    .addColumn('analysis_id', text, (c) => c.primaryKey().notNull())
    .addColumn('log_id', text, (c) => c.notNull())
    .addColumn('message', text, (c) => c.notNull())
    .addColumn('error', text)
    .addColumn('environment_defaulted', integer, (c) => c.notNull())
    .addColumn('search_text', text, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()

  await schema
    .createTable('grouping_rules')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id'))
    .addColumn('kind', text, (c) => c.notNull())
    .addColumn('effect', text, (c) => c.notNull())
    .addColumn('description', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('created_by', text, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('grouping_rules_project')
    .on('grouping_rules')
    .columns(['project_id', 'created_at'])
    .execute()
  await schema.createIndex('grouping_rules_kind').on('grouping_rules').columns(['kind']).execute()

  await schema
    .createTable('analysis_queue')
    .addColumn('segment_id', text, (c) => c.primaryKey().notNull())
    .addColumn('days', text, (c) => c.notNull())
    .addColumn('errors', integer)
    .addColumn('queued_at', integer, (c) => c.notNull())
    .addColumn('claimed_by', text)
    .addColumn('claimed_until', integer, (c) => c.notNull())
    .addColumn('attempts', integer, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('analysis_queue_due').on('analysis_queue').columns(['claimed_until', 'queued_at']).execute()
}
