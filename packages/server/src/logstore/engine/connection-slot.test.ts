import { describe, expect, it } from 'vitest'
import { ConnectionSlot } from './connection-slot.ts'

/** Records what reaches each connection; a text with `fail` in it throws. */
function fakeEngine() {
  const opened: { texts: string[]; closed: boolean }[] = []
  const open = () => {
    const connection = { texts: [] as string[], closed: false }
    opened.push(connection)
    return {
      queryAsync: async (sql: string) => {
        connection.texts.push(sql)
        if (sql.includes('fail'))
          throw Object.assign(new Error('Code: 395. DB::Exception: no'), { clickhouseCode: 395 })
        return { bytes: () => new Uint8Array(), elapsed: 0, rowsRead: 0, bytesRead: 0 }
      },
      close: () => {
        connection.closed = true
      },
    }
  }
  return { open, opened }
}

function call(sql: string, params: Record<string, string> = {}, settings: Record<string, string> = {}) {
  return { sql, params: new Map(Object.entries(params)), settings: new Map(Object.entries(settings)) }
}

describe('a connection to the engine', () => {
  it('is never used again after an error, because its next answer would begin with the failed one', async () => {
    const { open, opened } = fakeEngine()
    const slot = new ConnectionSlot('read-0', open, {})
    await expect(slot.run(call('SELECT fail'))).rejects.toMatchObject({ code: 395 })
    await slot.run(call('SELECT 1'))
    expect(opened.map(({ closed, texts }) => [closed, texts.length])).toEqual([
      [true, 1],
      [false, 1],
    ])
  })

  it('sets its settings once, a changed one again, and takes back what a call no longer asks for', async () => {
    const { open, opened } = fakeEngine()
    const slot = new ConnectionSlot('read-0', open, { max_threads: '2' })
    await slot.run(call('SELECT 1'))
    await slot.run(call('SELECT 2'))
    await slot.run(call('SELECT 3', {}, { max_threads: '1', insert_deduplication_token: 'a' }))
    await slot.run(call('SELECT 4'))
    expect(opened[0]?.texts).toEqual([
      "SET max_threads = '2', log_comment = 'read-0';\nSELECT 1",
      'SELECT 2',
      "SET max_threads = '1', insert_deduplication_token = 'a';\nSELECT 3",
      "SET insert_deduplication_token = DEFAULT, max_threads = '2';\nSELECT 4",
    ])
  })

  it('sets everything anew on the connection that replaces a failed one', async () => {
    const { open, opened } = fakeEngine()
    const slot = new ConnectionSlot('read-0', open, { readonly: '2' })
    await expect(slot.run(call('fail'))).rejects.toThrow()
    await slot.run(call('SELECT 1'))
    expect(opened[1]?.texts).toEqual(["SET readonly = '2', log_comment = 'read-0';\nSELECT 1"])
  })

  it('keeps a value inside its quotes, on one line', async () => {
    const { open, opened } = fakeEngine()
    const slot = new ConnectionSlot('read-0', open, {})
    await slot.run(call('SELECT 1'))
    await slot.run(call('SELECT {a:String}', { a: "x\\'\n\n; DROP TABLE logs\0" }))
    expect(opened[0]?.texts[1]).toBe("SET param_a = 'x\\\\\\'\\n\\n; DROP TABLE logs\\0';\nSELECT {a:String}")
  })

  it('refuses a query whose parameter is missing, instead of taking the value of an earlier one', async () => {
    const { open, opened } = fakeEngine()
    const slot = new ConnectionSlot('read-0', open, {})
    await slot.run(call('SELECT {project:String}', { project: 'prj_a' }))
    await expect(slot.run(call('SELECT { project : String }'))).rejects.toMatchObject({ code: 456 })
    expect(opened[0]?.texts).toHaveLength(1)
  })
})
