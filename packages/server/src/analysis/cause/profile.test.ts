import type { Field } from '@tidemark/wire/query/fields'
import { describe, expect, it } from 'vitest'
import { roleOf } from './profile.ts'

const role = (name: string) => roleOf({ kind: 'attribute', name })

describe('what a field says', () => {
  it.each([
    [
      'operation',
      ['http.route', 'job', 'job.name', 'queue', 'rpc.method', 'url.path', 'handlerName', 'messaging_topic'],
    ],
    ['outcome', ['http.status', 'status_code', 'durationMs', 'error.code', 'retry', 'queue.depth', 'body.bytes']],
    ['place', ['k8s.pod', 'zone', 'cloud.region', 'container', 'node']],
    ['setting', ['config.pool', 'feature.new_cart', 'db.version', 'pool_limit', 'timeout']],
    ['identity', ['request.id', 'trace', 'orderId', 'pid', 'client_ip'.replace('client_', ''), 'uptime']],
    ['data', ['tenant', 'tenant.id', 'userId', 'customer_id', 'country', 'currency', 'cart.kind', 'plan']],
  ] as const)('%s', (expected, names) => {
    expect(names.map(role)).toEqual(names.map(() => expected))
  })

  it('is known for our own fields', () => {
    const core = (name: string) => roleOf({ kind: 'core', name } as Field)
    expect([core('host'), core('logger'), core('release'), core('traceId')]).toEqual([
      'place',
      'operation',
      'setting',
      'identity',
    ])
  })
})
