import type { AddressInfo } from 'node:net'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { afterEach, describe, expect, it } from 'vitest'
import type { NativeResult } from './connection-slot.ts'
import type { EngineQuery } from './connections.ts'
import { EngineError } from './error.ts'
import { createEngineServer, parseCall } from './http.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function clientOver(run: (query: EngineQuery) => Promise<NativeResult>) {
  const server = createEngineServer({ run, ping: async () => {} })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ url, log: { level: ClickHouseLogLevel.OFF } })
  closers.push(
    () => client.close(),
    () => server.close(),
  )
  return { client, url }
}

function result(text: string): NativeResult {
  return { bytes: () => Buffer.from(text), elapsed: 0.25, rowsRead: 7, bytesRead: 70 }
}

describe('the HTTP interface of the engine', () => {
  it('passes query, parameters and settings of the official client on, and its answer back', async () => {
    const calls: EngineQuery[] = []
    const { client } = await clientOver(async (query) => {
      calls.push(query)
      return result('{"a":"1"}\n')
    })
    const answer = await client.query({
      query: 'SELECT {a:String} AS a',
      query_params: { a: "it's\n\n; DROP TABLE logs" },
      clickhouse_settings: { max_execution_time: 3 },
      format: 'JSONEachRow',
    })
    expect(await answer.json()).toEqual([{ a: '1' }])
    expect(calls[0]).toMatchObject({ sql: 'SELECT {a:String} AS a \nFORMAT JSONEachRow', isRead: true })
    expect(calls[0]?.params).toEqual(new Map([['a', "it\\'s\\n\\n; DROP TABLE logs"]]))
    expect(calls[0]?.settings).toEqual(new Map([['max_execution_time', '3']]))
  })

  it('gives errors their number, so that the client knows them', async () => {
    const { client } = await clientOver(async () => {
      throw new EngineError(241, 'Code: 241. DB::Exception: Memory limit (total) exceeded\nwhile reading')
    })
    await expect(client.query({ query: 'SELECT 1' })).rejects.toMatchObject({ code: '241' })
  })

  it('answers 503 when too many queries wait', async () => {
    const { url } = await clientOver(async () => {
      throw new EngineError(202, 'Code: 202. DB::Exception: Too many queries are waiting.')
    })
    const reply = await fetch(url, { method: 'POST', body: 'SELECT 1' })
    expect(reply.status).toBe(503)
    expect(reply.headers.get('x-clickhouse-exception-code')).toBe('202')
  })

  it('answers a ping through the engine', async () => {
    const { client } = await clientOver(async () => result(''))
    expect(await client.ping()).toEqual({ success: true })
  })

  it('tells the engine when the client has gone', async () => {
    let signal: AbortSignal | undefined
    const { client } = await clientOver((query) => {
      signal = query.signal
      return new Promise(() => {})
    })
    const leaving = new AbortController()
    const answer = client.query({ query: 'SELECT 1', abort_signal: leaving.signal }).catch(() => {})
    await expect.poll(() => signal?.aborted).toBe(false)
    leaving.abort()
    await answer
    await expect.poll(() => signal?.aborted).toBe(true)
  })
})

describe('a call', () => {
  it('is a read only when it begins like one', () => {
    const isRead = (sql: string) => parseCall(new URLSearchParams(), sql).isRead
    expect(['SELECT 1', ' with x as (select 1) select 1', 'EXPLAIN SELECT 1'].map(isRead)).toEqual([true, true, true])
    expect(['INSERT INTO logs SELECT 1', 'ALTER TABLE logs', 'selection', ''].map(isRead)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  it('is refused when it carries data in its body, which the engine would read as SQL', () => {
    expect(() => parseCall(new URLSearchParams({ query: 'INSERT INTO logs FORMAT RowBinary' }), '\n\nDROP')).toThrow(
      /48/,
    )
  })

  it('is refused when a name in it is not one', () => {
    for (const name of ['max threads', "a'b", 'param_a b', 'param_', 'A']) {
      expect(() => parseCall(new URLSearchParams([[name, '1']]), 'SELECT 1'), name).toThrow(EngineError)
    }
  })
})
