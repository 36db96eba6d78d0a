import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import { callOf } from '../../testing/calls.ts'
import { controlBackends } from '../../testing/control.ts'
import type { ControlDatabase } from '../database/database.ts'
import { CallWriter, MAX_PENDING } from './call-writer.ts'

const change = { by: 'operator', nowMs: Date.UTC(2026, 10, 15, 12) }
const backend = controlBackends()[0]!

describe('calls that cannot be written', () => {
  let database: ControlDatabase
  let caller: { projectId: string; keyId: string }
  let isAway = false
  let breaksAfterwards = false
  let slow: Promise<void> | null = null
  let dropped: object[] = []

  beforeAll(async () => {
    const control = await backend.open()
    const { id: projectId } = await control.projects.create({ name: 'a', retentionDays: 30 }, change)
    const input = { projectId, kind: 'read', name: 'agent', expiresAtMs: null } as const
    caller = { projectId, keyId: (await control.keys.create(input, change)).key.id }
    const bare = await backend.openBare()
    const away = {
      transformQuery<Node>({ node }: { node: Node }): Node {
        if (isAway) throw new AppError('unavailable', 'The database does not answer.')
        return node
      },
      async transformResult<Result>({ result }: { result: Result }): Promise<Result> {
        await slow
        if (breaksAfterwards) throw new AppError('unavailable', 'The connection broke.')
        return result
      },
    }
    database = { ...bare, db: bare.db.withPlugin(away) }
  })
  beforeEach(async () => {
    isAway = false
    dropped = []
    await database.db.deleteFrom('mcp_calls').execute()
  })
  afterAll(() => backend.close())

  const open = () => new CallWriter(database, { warn: (details) => dropped.push(details) })
  const tokens = async () => {
    isAway = false
    return (await database.db.selectFrom('mcp_calls').select('tokens').orderBy('tokens').execute()).map(
      (row) => row.tokens,
    )
  }

  it('because the database is away are written once it is back, each once', async () => {
    const writer = open()
    isAway = true
    for (const each of [1, 2]) writer.note(caller, callOf({ tokens: each }))
    await writer.flush()
    await writer.flush()
    isAway = false
    writer.note(caller, callOf({ tokens: 3 }))
    await writer.close()
    expect([await tokens(), dropped]).toEqual([[1, 2, 3], []])
  })

  it('are bounded: past the limit the oldest are dropped, and the log tells how many', async () => {
    const writer = open()
    isAway = true
    for (let each = 0; each < MAX_PENDING + 5; each += 1) writer.note(caller, callOf({ tokens: each }))
    await writer.flush()
    isAway = false
    await writer.close()
    const written = await tokens()
    expect([written.length, written[0], written.at(-1)]).toEqual([MAX_PENDING, 5, MAX_PENDING + 4])
    expect(dropped).toMatchObject([{ calls: 5 }])
  })

  it('because they are refused do not keep others from being written', async () => {
    const writer = open()
    writer.note(caller, callOf({ tokens: 1 }))
    writer.note({ ...caller, keyId: 'key_none' }, callOf({ tokens: 2 }))
    writer.note(caller, callOf({ tokens: 3 }))
    await writer.close()
    expect([await tokens(), dropped]).toMatchObject([[1, 3], [{ calls: 1 }]])
  })

  it('as far as is known, but were, are there once', async () => {
    const writer = open()
    breaksAfterwards = true
    for (const each of [1, 2]) writer.note(caller, callOf({ tokens: each }))
    await writer.flush()
    breaksAfterwards = false
    await writer.close()
    expect([await tokens(), dropped]).toEqual([[1, 2], []])
  })

  it('are bounded also while the database takes its time', async () => {
    const writer = open()
    let answer = () => {}
    slow = new Promise((resolve) => {
      answer = resolve
    })
    writer.note(caller, callOf({ tokens: 0 }))
    const written = writer.flush()
    for (let each = 1; each <= 2 * MAX_PENDING; each += 1) writer.note(caller, callOf({ tokens: each }))
    expect(dropped).toMatchObject([{ calls: MAX_PENDING }])
    slow = null
    answer()
    await written
    await writer.close()
    expect((await tokens()).length).toBe(MAX_PENDING + 1)
  })
})
