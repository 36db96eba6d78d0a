import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlBackend, controlBackends } from '../testing/control.ts'
import { checkControlEmpty, readControl, TABLES, type TableName, writeControl } from './copy.ts'
import type { ControlRow } from './database/database.ts'
import { openSqlite } from './database/sqlite.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
/** More than are read at once. */
const ROWS = 503

type Column = { name: string; type: string; notnull: number; pk: number }

const pairs = controlBackends().flatMap((_, at) =>
  controlBackends().map((to) => ({ from: controlBackends()[at]!, to })),
)

describe('the tables of the control store', () => {
  it('are all in the list by which the store is copied', async () => {
    const [backend] = controlBackends()
    const control = await backend!.open()
    const { dataDir } = await backend!.options()
    const bare = openSqlite(dataDir)
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(bare.db)
    expect(rows.map(({ name }) => name).sort()).toEqual([...TABLES, 'tidemark_migrations'].sort())
    await bare.close()
    await control.close()
    await backend!.close()
  })
})

describe.each(pairs)('a copy of the control store, from $from.name to $to.name', ({ from, to }) => {
  beforeEach((test) => {
    const missing = from.unavailable ?? to.unavailable
    if (missing !== undefined) test.skip(missing)
  })
  afterEach(() => Promise.all([from.close(), to.close()]))

  it('has every row of every table, as it was at one moment', async () => {
    await fill(from, ROWS)
    const before = await everything(from)
    const copied = await readControl(await from.options())
    await change(from)
    const counts = await writeControl(await to.options(), copied)
    await copied.close()

    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(
      [...before.values()].reduce((sum, rows) => sum + rows.length, 0),
    )
    expect(await everything(to)).toEqual(before)
    expect((await everything(from)).get('settings')).not.toEqual(before.get('settings'))
  })

  it('is refused where there are projects already, and changes nothing there', async () => {
    await fill(from, 2)
    await fill(to, 3)
    const before = await everything(to)
    const copied = await readControl(await from.options())
    await expect(checkControlEmpty(await to.options())).rejects.toMatchObject({ code: 'conflict' })
    await expect(writeControl(await to.options(), copied)).rejects.toMatchObject({ code: 'conflict' })
    await copied.close()
    expect(await everything(to)).toEqual(before)
  })

  it('writes all rows or none', async () => {
    await fill(from, 2)
    const copied = await readControl(await from.options())
    async function* broken(table: TableName) {
      if (table === 'grouping_rules') throw new Error('the file ends here')
      yield* copied.rows(table)
    }
    await expect(writeControl(await to.options(), { version: copied.version, rows: broken })).rejects.toThrow(
      'the file ends here',
    )
    await copied.close()
    for (const [table, rows] of await everything(to)) expect({ table, rows }).toEqual({ table, rows: [] })
    await checkControlEmpty(await to.options())
  })

  it('of an older version is brought up to date', async () => {
    await fill(from, 2)
    const copied = await readControl(await from.options())
    const older = new Set<TableName>(
      TABLES.filter((table) => /^(oauth|mcp|alert|source)_|_notes$|_comments$|_views$/.test(table)),
    )
    async function* rows(table: TableName) {
      if (older.has(table)) return
      for await (const some of copied.rows(table)) {
        yield some.map(({ client_id, client_name, client_host, retention_rules, source_stack, ...row }) => row)
      }
    }
    await writeControl(await to.options(), { version: 6, rows })
    await copied.close()
    const found = await everything(to)
    expect(found.get('mcp_calls')).toEqual([])
    expect(found.get('api_keys')).toHaveLength(2)
    expect(found.get('analyses')).toHaveLength(2)
  })
})

/** Rows for every table, made from its columns: what a column means does not matter to a copy. */
async function fill(backend: ControlBackend, count: number): Promise<void> {
  await (await backend.open()).close()
  const columns = await columnsOfTables()
  const { db } = await backend.openBare()
  for (const table of TABLES) {
    for (let row = 0; row < count; row += 100) {
      const rows = Array.from({ length: Math.min(100, count - row) }, (_, at) => rowOf(columns.get(table)!, row + at))
      await db
        .insertInto(table)
        .values(rows as never)
        .execute()
    }
  }
}

function rowOf(columns: Column[], row: number): ControlRow {
  return Object.fromEntries(columns.map((column) => [column.name, sampleOf(column, row)]))
}

/** References name the row of the same number. */
function sampleOf({ name, type, notnull }: Column, row: number): string | number | null {
  if (notnull === 0 && row % 3 === 0) return null
  if (type.toLowerCase() === 'integer') return row * 1_700_000_000_001
  if (/^(id|(project|person|key|rule|channel|message)_id)$/.test(name)) return `id ${row}`
  return `${name} "${row}"\nzwölf → 🙂\t\\`
}

async function columnsOfTables(): Promise<Map<TableName, Column[]>> {
  const [backend] = controlBackends()
  await backend!.open()
  const { db } = await backend!.openBare()
  const found = new Map<TableName, Column[]>()
  for (const table of TABLES) {
    found.set(table, (await sql<Column>`select * from pragma_table_info(${table})`.execute(db)).rows)
  }
  await backend!.close()
  return found
}

async function everything(backend: ControlBackend): Promise<Map<TableName, ControlRow[]>> {
  const bare = await backend.openBare()
  const found = new Map<TableName, ControlRow[]>()
  for (const table of TABLES) {
    const rows = (await bare.db.selectFrom(table).selectAll().execute()) as ControlRow[]
    found.set(
      table,
      rows.map((row) => ({ ...row })).sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b))),
    )
  }
  return found
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

async function change(backend: ControlBackend): Promise<void> {
  const { db } = await backend.openBare()
  await db.insertInto('settings').values({ name: 'later', value: 'than the copy', updated_at: NOW }).execute()
}
