import pg from 'pg'
import { type ControlRow, type ControlSnapshot, ROWS_A_READ } from './database.ts'
import { postgresError } from './postgres-errors.ts'

/** Longer than for requests: nobody waits for an answer while a backup is made. */
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_MS = 60_000
/** Those that a statement reaches by name alone. */
const VISIBLE_TABLES = `select relname from pg_class where relkind = 'r' and pg_table_is_visible(oid)`

/** On a connection of its own, in one transaction that sees the database as it was when it first read. */
export async function openPostgresSnapshot(
  databaseUrl: string,
  getTypeParser: typeof pg.types.getTypeParser,
): Promise<ControlSnapshot> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'tidemark',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_MS,
    types: { getTypeParser },
  })
  // A connection that breaks between two questions makes the next one fail; nobody else listens.
  client.on('error', () => {})
  const run = async (text: string) => (await asked(() => client.query<ControlRow>(text))).rows
  const tables = new Set<string>()
  try {
    await asked(() => client.connect())
    await run('begin isolation level repeatable read read only')
    for (const { relname } of await run(VISIBLE_TABLES)) tables.add(String(relname))
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return {
    tables,
    async *rows(table) {
      await run(`declare page cursor for select * from ${table}`)
      for (;;) {
        const rows = await run(`fetch ${ROWS_A_READ} from page`)
        if (rows.length === 0) break
        yield rows
      }
      await run('close page')
    },
    close: () => client.end(),
  }
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw postgresError(error)
  }
}
