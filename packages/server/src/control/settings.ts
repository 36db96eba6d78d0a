import type { ControlDatabase } from './database/database.ts'

/** Small facts about the whole instance: its id, the hash of the owner link's token. Never a secret in the clear. */
export type Settings = {
  get(name: string): Promise<string | null>
  /**
   * Sets the value when it still is `expected`, null meaning absent, and says whether it did. Of several callers with
   * the same `expected`, on any node, one wins. `next` null removes it.
   */
  compareAndSet(name: string, expected: string | null, next: string | null, nowMs: number): Promise<boolean>
}

export function createSettings({ db }: ControlDatabase): Settings {
  async function get(name: string): Promise<string | null> {
    const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
    return row?.value ?? null
  }

  return {
    get,

    async compareAndSet(name, expected, next, nowMs) {
      if (expected === null && next === null) return (await get(name)) === null
      if (expected === null) {
        const inserted = await db
          .insertInto('settings')
          .values({ name, value: next ?? '', updated_at: nowMs })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returning('name')
          .executeTakeFirst()
        return inserted !== undefined
      }
      if (next === null) {
        const removed = await db
          .deleteFrom('settings')
          .where('name', '=', name)
          .where('value', '=', expected)
          .returning('name')
          .executeTakeFirst()
        return removed !== undefined
      }
      const changed = await db
        .updateTable('settings')
        .set({ value: next, updated_at: nowMs })
        .where('name', '=', name)
        .where('value', '=', expected)
        .returning('name')
        .executeTakeFirst()
      return changed !== undefined
    },
  }
}
