import type { ClickHouseClient } from '@clickhouse/client'
import { AppError } from '../../errors.ts'
import { translated } from '../driver-errors.ts'
import { FIND_SCHEMA, SCHEMA_VERSION, schemaStatements, schemaVersion, type TableLayout } from './schema.ts'

/** Creates or updates the log table; says whether anything was changed. */
export async function ensureSchema(client: ClickHouseClient, layout: TableLayout): Promise<boolean> {
  return await translated(async () => {
    const answer = await client.query({ query: FIND_SCHEMA, format: 'JSONEachRow' })
    const [table] = await answer.json<{ comment: string }>()
    const found = table === undefined ? null : schemaVersion(table.comment)
    if (table !== undefined && found === null) {
      throw new AppError('conflict', 'The database has a table "logs" that is not Tidemark\'s. Use another database.')
    }
    if (found !== null && found > SCHEMA_VERSION) {
      throw new AppError('conflict', 'The log store was made by a newer Tidemark. Start that version or a later one.')
    }
    const statements = schemaStatements(found, layout)
    for (const query of statements) await client.command({ query })
    return statements.length > 0
  })
}
