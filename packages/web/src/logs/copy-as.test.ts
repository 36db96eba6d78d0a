import { describe, expect, it } from 'vitest'
import { asCommand, asCurl, asMcpCall } from './copy-as.ts'

const FILTER = { query: `user:'o"neil'`, environment: 'production', from: '-1h', to: undefined }
const ORIGIN = 'https://logs.example'

describe('the question of the page, elsewhere', () => {
  it('is a line for curl that a shell takes as it is', () => {
    expect(asCurl({ origin: ORIGIN, filter: FILTER, search: {} })).toMatchInlineSnapshot(`
      "curl -sS -G https://logs.example/api/logs \\
        -H "Authorization: Bearer $TIDEMARK_READ_KEY" \\
        --data-urlencode 'query=user:'\\''o"neil'\\''' \\
        --data-urlencode environment=production \\
        --data-urlencode from=-1h"
    `)
  })

  it('is a command, where the command line has it', () => {
    expect(asCommand({ origin: ORIGIN, filter: FILTER, search: { order: 'oldest' } })).toMatchInlineSnapshot(
      `"tidemark logs 'user:'\\''o"neil'\\''' --since=-1h --environment=production --oldest --url=https://logs.example"`,
    )
    expect(asCommand({ origin: ORIGIN, filter: FILTER, search: { view: 'groups' } })).toBeUndefined()
    const excluding = asCommand({ origin: ORIGIN, filter: { ...FILTER, query: '-level:debug' }, search: {} })
    expect(excluding).toMatch(/-- -level:debug$/)
  })

  it('compares patterns with what the page compares them with', () => {
    const copied = (compare?: string) => {
      const search = { view: 'patterns', compare } as const
      const asked = { origin: ORIGIN, filter: { ...FILTER, query: 'cart' }, search }
      return { command: asCommand(asked), call: JSON.parse(asMcpCall(asked)).arguments, curl: asCurl(asked) }
    }
    const asked = { query: 'cart', environment: 'production', from: '-1h' }
    const before = copied()
    expect(before.command).toBe(
      'tidemark logs cart --since=-1h --environment=production --patterns --compare-previous --url=https://logs.example',
    )
    expect(before.call).toEqual({ ...asked, compare: 'previous' })
    expect(before.curl).toContain('--data-urlencode compare=previous')
    const off = copied('off')
    expect(off.command).toBe(
      'tidemark logs cart --since=-1h --environment=production --patterns --url=https://logs.example',
    )
    expect(off.call).toEqual(asked)
    const deploy = copied('dep_1')
    expect(deploy.command).toBe(
      'tidemark logs cart --environment=production --patterns --deploy=dep_1 --url=https://logs.example',
    )
    expect(deploy.call).toEqual({ query: 'cart', environment: 'production', deployId: 'dep_1' })
    expect(deploy.curl).not.toContain('from=')
  })

  it('is a call of an agent, with the tool of the view', () => {
    const search = { view: 'groups', group: 'http.route', measure: 'p95', of: 'duration' } as const
    expect(JSON.parse(asMcpCall({ filter: { ...FILTER, query: undefined }, search }))).toEqual({
      name: 'count_logs',
      arguments: {
        environment: 'production',
        from: '-1h',
        groupBy: ['http.route'],
        bucket: '60',
        measure: 'p95',
        of: 'duration',
      },
    })
    expect(JSON.parse(asMcpCall({ filter: FILTER, search: { view: 'trace' } }))).toMatchObject({
      name: 'list_logs',
      arguments: { order: 'oldest' },
    })
    expect(JSON.parse(asMcpCall({ filter: FILTER, search: { view: 'patterns' } }))).toMatchObject({
      name: 'list_log_patterns',
    })
  })
})
