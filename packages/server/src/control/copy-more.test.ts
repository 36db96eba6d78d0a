import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlBackend, controlBackends } from '../testing/control.ts'
import {
  CONTROL_VERSION,
  checkControlEmpty,
  type ReadControl,
  readControl,
  TABLES,
  type TableName,
  writeControl,
} from './copy.ts'
import type { ControlRow } from './database/database.ts'
import { appliedMigrations, MIGRATIONS, migrate, newestVersion } from './database/migrate.ts'
import { openSqlite } from './database/sqlite.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
/** More than are read at once. */
const ROWS = 503

type Column = { name: string; type: string; notnull: number; pk: number }

const olderVersions = [1, 4, 6, CONTROL_VERSION - 1]

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

  it.each(olderVersions)(
    'of version %i leaves it as it was, and is brought up to date where it goes',
    async (version) => {
      await fill(from, 2, version)
      const before = await everything(from)
      const copied = await readControl(await from.options())
      expect(copied.version).toBe(version)
      expect(copied.tables).toEqual([...before.keys()])
      await writeControl(await to.options(), { version, rows: rowsOf(copied) })
      await copied.mustStillBeOfVersion()
      await copied.close()

      expect(await everything(from)).toEqual(before)
      expect(await versionOf(from)).toBe(version)
      expect(await versionOf(to)).toBe(CONTROL_VERSION)
      const after = await everything(to)
      for (const table of TABLES) expect([table, after.get(table)?.length]).toEqual([table, before.has(table) ? 2 : 0])
      const text = (rows: ControlRow[] | undefined) => rows?.map(({ name, id }) => ({ name, id }))
      expect(text(after.get('projects'))).toEqual(text(before.get('projects')))
    },
  )

  it('is refused when somebody upgraded the store meanwhile', async () => {
    await fill(from, 2, CONTROL_VERSION - 1)
    const copied = await readControl(await from.options())
    await (await from.open()).close()
    await expect(copied.mustStillBeOfVersion()).rejects.toMatchObject({
      code: 'conflict',
      message: 'The control store was upgraded while it was copied. Make the copy again.',
    })
    await copied.close()
  })

  it('is refused of a store without tables, and of one that a newer build has upgraded', async () => {
    const bare = await from.openBare()
    await expect(readControl(await from.options())).rejects.toMatchObject({ code: 'not_found' })
    expect(await bare.db.introspection.getTables()).toEqual([])
    await fill(from, 1)
    const newer = { version: CONTROL_VERSION + 1, name: 'later', applied_at: NOW }
    await bare.db.insertInto('tidemark_migrations').values(newer).execute()
    await expect(readControl(await from.options())).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`has version ${CONTROL_VERSION + 1}, and this build of Tidemark knows`),
    })
  })
})

/** None of a table that the version does not have, as a backup gives them. */
function rowsOf({ tables, rows }: ReadControl): ReadControl['rows'] {
  return async function* (table) {
    if (tables.includes(table)) yield* rows(table)
  }
}

async function versionOf(backend: ControlBackend): Promise<number> {
  return newestVersion(await appliedMigrations(await backend.openBare()))
}

/** Rows for every table of a version, made from its columns: what a column means does not matter to a copy. */
async function fill(backend: ControlBackend, count: number, version = CONTROL_VERSION): Promise<void> {
  const database = await backend.openBare()
  await migrate(database, NOW, MIGRATIONS.slice(0, version))
  const columns = await columnsOfTables(version)
  const { db } = database
  for (const table of columns.keys()) {
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

async function columnsOfTables(version: number): Promise<Map<TableName, Column[]>> {
  const [backend] = controlBackends()
  const database = await backend!.openBare()
  await migrate(database, NOW, MIGRATIONS.slice(0, version))
  const found = new Map<TableName, Column[]>()
  for (const table of TABLES) {
    const { rows } = await sql<Column>`select * from pragma_table_info(${table})`.execute(database.db)
    if (rows.length > 0) found.set(table, rows)
  }
  await backend!.close()
  return found
}

async function everything(backend: ControlBackend): Promise<Map<TableName, ControlRow[]>> {
  const bare = await backend.openBare()
  const there = new Set((await bare.db.introspection.getTables()).map(({ name }) => name))
  const found = new Map<TableName, ControlRow[]>()
  for (const table of TABLES) {
    if (!there.has(table)) continue
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
