import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen, reply } from '../testing/listen.ts'
import { follow } from './follow.ts'
import type { Row } from './format-row.ts'
import { ShownRows } from './shown-rows.ts'

const BEGAN = Date.parse('2026-11-15T05:00:00Z')
const row = (id: string, second = 1) =>
  ({ kind: 'log', id, timestamp: new Date(BEGAN + second * 1_000).toISOString(), environment: 'p', message: id }) as Row
const window = { from: '', to: '' }

/** A service whose tail and search the test plays. */
async function play(
  tail: (response: ServerResponse, connection: number) => void,
  search: () => Row[] | 'fail' = () => [],
  asked: { query?: string; level?: string } = {},
) {
  let connections = 0
  const searchedFrom: (string | null)[] = []
  const { url } = await listen(({ path }, response) => {
    if (path.startsWith('/api/logs/tail')) {
      connections++
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(': connected\n\nevent: ready\ndata: {}\n\n')
      tail(response, connections)
    } else if (path.startsWith('/api/deploys')) reply(response, 200, { deploys: [], nextCursor: null })
    else {
      const { searchParams } = new URL(path, url)
      searchedFrom.push(searchParams.get('from'))
      const limit = Number(searchParams.get('limit'))
      const rows = search()
      if (rows === 'fail') reply(response, 500, { error: { code: 'internal', message: 'Something broke.' } })
      else {
        const nextCursor = rows.length > limit ? 'more' : null
        reply(response, 200, { rows: rows.slice(0, limit), nextCursor, window, warnings: [], empty: null })
      }
    }
  })
  const shown: string[] = []
  const notes: string[] = []
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const filter = { query: undefined, environment: undefined, service: 'a shop', level: undefined, ...asked }
  const done = follow({
    connection: { url, key: 'k' },
    filter,
    shown: new ShownRows(BEGAN - 3_600_000),
    beganMs: BEGAN,
    show: (rows) => void shown.push(...rows.map(({ id }) => id)),
    note: (text) => void notes.push(text),
    signal: ending.signal,
  })
  return { url, shown, notes, searchedFrom, done, end: () => ending.abort(), connections: () => connections }
}

const logs = (response: ServerResponse, rows: Row[], dropped = 0) =>
  response.write(`event: logs\ndata: ${JSON.stringify({ rows, dropped })}\n\n`)

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10)
}

describe('following', () => {
  it('shows what the tail and the search tell, each row once, and ends when asked', async () => {
    const { shown, done, end } = await play(
      (response) => logs(response, [row('b', 2), row('a', 1)]),
      () => [row('early'), row('a', 1)],
    )
    await until(() => shown.length === 3)
    end()
    await done
    expect([...shown].sort()).toEqual(['a', 'b', 'early'])
  })

  it('shows records of one millisecond in the order in which they happened, as a search does', async () => {
    const at = (id: string, micros: string): Row => ({ ...row(id), timestamp: `2026-11-15T05:00:01.000${micros}Z` })
    const { shown } = await play((response) =>
      logs(response, [at('c', '2'), at('d', '100'), at('b', '001'), at('a', '001')]),
    )
    await until(() => shown.length === 4)
    expect(shown).toEqual(['a', 'b', 'd', 'c'])
  })

  it('connects again, and shows what came meanwhile without repeating anything', async () => {
    const { shown, notes, end, done } = await play(
      (response, connection) => {
        logs(response, connection === 1 ? [row('a')] : [row('c', 3)])
        if (connection === 1) until(() => shown.includes('a')).then(() => response.destroy())
      },
      () => (shown.includes('a') ? [row('a'), row('b', 2)] : []),
    )
    await until(() => shown.length === 3)
    end()
    await done
    expect([...shown].sort()).toEqual(['a', 'b', 'c'])
    expect(notes).toEqual([
      expect.stringMatching(/^the connection was lost .*; connecting again$/),
      expect.stringContaining('connected again'),
    ])
  })

  it('asks again for all that came meanwhile when it could not be told', async () => {
    let searches = 0
    const { shown, searchedFrom, end, done } = await play(
      () => {},
      () => (++searches === 1 ? 'fail' : [row('a')]),
    )
    await until(() => shown.length === 1)
    end()
    await done
    expect(searchedFrom).toHaveLength(2)
    expect(searchedFrom[1]).toBe(searchedFrom[0])
  })

  it('says when records were too many to show', async () => {
    const { notes } = await play((response) => {
      logs(response, [row('a')], 1_234)
      logs(response, [row('b')], 1)
    })
    await until(() => notes.length > 1)
    expect(notes[0]).toMatch(/^1,234 records came too fast to show/)
    expect(notes[1]).toMatch(/^1 record came too fast to show/)
  })

  it('names the command that shows the rest of what came meanwhile, with all that was asked for', async () => {
    const many = Array.from({ length: 600 }, () => row('a'))
    const { notes, url } = await play(
      () => {},
      () => many,
      { query: '-path:"/a b"', level: '>=warn' },
    )
    await until(() => notes.length > 0)
    expect(notes[0]).toBe(
      `more than 5,000 records came meanwhile; the rest: tidemark logs --oldest --since=2026-11-15T05:00:01.000Z --service='a shop' --level='>=warn' --url=${url} -- '-path:"/a b"'`,
    )
  })

  it('ends with the reason when the key is no longer valid', async () => {
    const { done } = await play((response) => {
      const error = { code: 'unauthorized', message: 'The key was revoked.' }
      response.end(`event: end\ndata: ${JSON.stringify({ error })}\n\n`)
    })
    await expect(done).rejects.toMatchObject({ code: 'unauthorized', message: 'The key was revoked.' })
  })
})

describe('rows that were shown', () => {
  it('are not asked for again once they are forgotten', () => {
    const shown = new ShownRows(BEGAN, 2)
    expect(shown.take([row('a', 1), row('b', 2), row('c', 3)]).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(shown.completeFromMs).toBe(BEGAN + 1_001)
    expect(shown.take([row('b', 2), row('d', 4)]).map(({ id }) => id)).toEqual(['d'])
  })
})
