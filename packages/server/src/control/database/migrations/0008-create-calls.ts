import { sql } from 'kysely'
import type { MigrationStep } from '../database.ts'

export const createCalls: MigrationStep = async ({ schema }, { text, integer, tableOptions }) => {
  await schema
    .createTable('mcp_calls')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('key_id', text, (c) => c.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('at', integer, (c) => c.notNull())
    .addColumn('method', text, (c) => c.notNull())
    .addColumn('name', text)
    .addColumn('arguments', text, (c) => c.notNull())
    .addColumn('duration_ms', integer, (c) => c.notNull())
    .addColumn('row_count', integer)
    .addColumn('bytes', integer, (c) => c.notNull())
    .addColumn('tokens', integer, (c) => c.notNull())
    .addColumn('error', text)
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('mcp_calls_project').on('mcp_calls').columns(['project_id', 'id']).execute()
  await schema.createIndex('mcp_calls_key').on('mcp_calls').columns(['key_id', 'id']).execute()
  await schema.createIndex('mcp_calls_name').on('mcp_calls').columns(['project_id', 'name', 'id']).execute()
  // A list of errors must not read through all that went well, nor a sum through whole rows.
  await schema
    .createIndex('mcp_calls_error')
    .on('mcp_calls')
    .columns(['project_id', 'id'])
    .where(sql.ref('error'), 'is not', null)
    .execute()
  await schema
    .createIndex('mcp_calls_sums')
    .on('mcp_calls')
    .columns(['project_id', 'key_id', 'at', 'duration_ms', 'error'])
    .execute()
}
