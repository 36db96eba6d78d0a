import { describe, expect, it } from 'vitest'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import { affectedUsers } from './affected-users.ts'

const selection = { range: { fromUs: 0, toUs: 1 }, filter: { root: null } }

/** Records with these attributes, and how many different values the one that is counted has. */
function storeOf(names: readonly string[], distinct: number | null) {
  const counted: unknown[] = []
  const fields = names.map((name) => ({ field: { kind: 'attribute', name }, type: 'text', records: 9, values: [] }))
  const service = { field: { kind: 'core', name: 'service' }, type: 'text', records: 9, values: [] }
  const logs = {
    fields: async () => ({ total: null, sampled: 9, fields: [service, ...fields] }),
    measuredGroups: async (_: unknown, question: unknown) => {
      counted.push(question)
      return { highest: [{ values: [], count: 9, measured: distinct }], groups: 1, total: 9 }
    },
  } as unknown as ProjectLogs
  return { logs, counted }
}

describe('the users affected', () => {
  it('are counted by the surest of the names that the records have', async () => {
    const { logs, counted } = storeOf(['order.id', 'customer.id', 'userId'], 12)
    expect(await affectedUsers(logs, selection)).toEqual({ field: 'userId', count: 12 })
    const field = { kind: 'attribute', name: 'userId' }
    expect(counted).toEqual([{ fields: [], measure: { kind: 'distinct', field }, limit: 1 }])
  })

  it('are not counted where the records name nobody', async () => {
    const { logs, counted } = storeOf(['order.id'], 12)
    expect(await affectedUsers(logs, selection)).toBeUndefined()
    expect(counted).toEqual([])
  })

  it('are left out where nothing was found anymore', async () => {
    expect(await affectedUsers(storeOf(['user.id'], null).logs, selection)).toBeUndefined()
    expect(await affectedUsers(storeOf(['user.id'], 0).logs, selection)).toBeUndefined()
  })
})
