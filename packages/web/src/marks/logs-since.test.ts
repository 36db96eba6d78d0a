import { describe, expect, it } from 'vitest'
import { logsSince } from './logs-since.ts'

const deploy = { environment: 'production', deployedAt: '2026-11-16T08:00:00Z' }

describe('the logs since a deploy', () => {
  it('begin some minutes before it and go on until now while it is young', () => {
    const { words, search } = logsSince(deploy, Date.parse('2026-11-16T20:00:00Z'))
    expect(words).toBe('Logs since this deploy')
    expect(search).toMatchObject({ environment: 'production', from: '2026-11-16T07:55:00.000Z', order: 'oldest' })
    expect(search.to).toBeUndefined()
    // Named even so: pages keep the end of the range before otherwise.
    expect('to' in search).toBe(true)
  })

  it('are those of its first day when it is old, under the same name', () => {
    const { words, search } = logsSince(deploy, Date.parse('2026-11-20T08:00:00Z'))
    expect(words).toBe('Logs since this deploy')
    expect(search.from).toBe('2026-11-16T07:55:00.000Z')
    expect(search.to).toBe('2026-11-17T08:00:00.000Z')
  })
})
