import type Libsql from 'libsql'
import { type ControlRow, type ControlSnapshot, ROWS_A_READ } from './database.ts'
import { sqliteError } from './sqlite-errors.ts'

/** The file is the snapshot's own: its connection stays in one reading transaction until it is closed. */
export function openSqliteSnapshot(file: Libsql.Database): ControlSnapshot {
  let tables: Set<string>
  try {
    file.exec('begin')
    // A transaction sees the database as it was when it first read, not when it began.
    const found = file.prepare(`select name from sqlite_master where type = 'table'`).all() as { name: string }[]
    tables = new Set(found.map(({ name }) => name))
  } catch (error) {
    file.close()
    throw sqliteError(error)
  }
  return {
    tables,
    async *rows(table) {
      const page = file.prepare(
        `select rowid as page_row, * from ${table} where rowid > ? order by rowid limit ${ROWS_A_READ}`,
      )
      let last = Number.MIN_SAFE_INTEGER
      for (;;) {
        const rows = page.all(last) as (ControlRow & { page_row: number })[]
        if (rows.length === 0) return
        last = rows.at(-1)!.page_row
        yield rows.map(({ page_row: _, ...row }) => row)
      }
    },
    async close() {
      file.exec('rollback')
      file.close()
    },
  }
}
