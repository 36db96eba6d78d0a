/** What an application may pass by accident, and what makes a careless encoder throw, hang or grow without end. */
export const HOSTILE_VALUES: { name: string; make: () => unknown }[] = [
  { name: 'null', make: () => null },
  { name: 'undefined', make: () => undefined },
  { name: 'a symbol', make: () => Symbol.iterator },
  { name: 'a big integer', make: () => 2n ** 64n },
  { name: 'an enormous integer', make: () => 1n << 1_000_000n },
  { name: 'a huge text', make: () => 'x'.repeat(10_000_000) },
  { name: 'half a surrogate pair', make: () => `a\ud83d${'\udc00'.repeat(3)}` },
  { name: 'a NUL', make: () => '\0' },
  { name: 'a cycle', make: cycle },
  { name: 'a cycle through a list', make: listCycle },
  { name: 'a deep chain', make: () => nest(100_000) },
  {
    name: 'a wide object',
    make: () => Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key${at}`, at])),
  },
  { name: 'a sparse list', make: () => new Array(4_000_000_000) },
  {
    name: 'a getter that throws',
    make: () => ({
      get bad() {
        throw new Error('no')
      },
      good: 1,
    }),
  },
  {
    name: 'a toJSON that throws',
    make: () => ({
      toJSON() {
        throw new Error('no')
      },
    }),
  },
  { name: 'a toJSON without end', make: endlessJson },
  { name: 'an object that throws in toString', make: () => ({ toString: () => Symbol('no'), valueOf: null }) },
  { name: 'a proxy that throws', make: () => new Proxy({}, throwingHandler()) },
  { name: 'a function proxy that throws', make: () => new Proxy(() => {}, throwingHandler()) },
  { name: 'a revoked proxy', make: () => revoked({}) },
  { name: 'a revoked list', make: () => revoked([]) },
  { name: 'a revoked function', make: () => revoked(() => {}) },
  { name: 'a proxy with endless keys', make: endlessKeys },
  { name: 'no prototype', make: () => Object.create(null) },
  { name: 'a constructor that is no function', make: () => ({ constructor: { name: 7 } }) },
  { name: 'a wrong date', make: () => new Date(Number.NaN) },
  { name: 'an error whose parts throw', make: brokenError },
  {
    name: 'an error whose parts are no texts',
    make: () => Object.assign(new Error('x'), { message: 7, stack: [], name: {} }),
  },
  { name: 'an error that is its own cause', make: ownCause },
  {
    name: 'an aggregate of anything',
    make: () => new AggregateError([null, 'text', revoked({}), new Error('a')], 'all'),
  },
  {
    name: 'an error with a huge stack',
    make: () => Object.assign(new Error('x'), { stack: 'at f (a:1:1)\n'.repeat(500_000) }),
  },
  { name: 'bytes', make: () => new Uint8Array(1_000_000) },
  {
    name: 'a map with odd keys',
    make: () =>
      new Map<unknown, unknown>([
        [{}, 1],
        [Symbol('k'), 2],
        [revoked({}), 3],
      ]),
  },
  { name: 'the global object', make: () => globalThis },
  { name: 'the process', make: () => process },
  { name: 'a prototype key', make: () => JSON.parse('{"__proto__":{"a":1},"constructor":1}') },
]

function cycle(): unknown {
  const one: Record<string, unknown> = {}
  one.other = { one, list: [one] }
  return one
}

function listCycle(): unknown {
  const list: unknown[] = []
  list.push(list, { list })
  return list
}

function nest(depth: number): unknown {
  let value: unknown = 1
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? { value } : [value]
  return value
}

function endlessJson(): unknown {
  return { toJSON: endlessJson }
}

function throwingHandler(): ProxyHandler<object> {
  return new Proxy(
    {},
    {
      get() {
        return () => {
          throw new Error('trapped')
        }
      },
    },
  )
}

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

function endlessKeys(): unknown {
  return new Proxy(
    {},
    {
      ownKeys: () => Array.from({ length: 10_000 }, (_, at) => `k${at}`),
      getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }),
      get: () => endlessKeys(),
    },
  )
}

function brokenError(): unknown {
  const error = new Error('x')
  for (const key of ['stack', 'message', 'name', 'cause', 'errors', 'constructor']) {
    Object.defineProperty(error, key, {
      get() {
        throw new Error('no')
      },
    })
  }
  return error
}

function ownCause(): unknown {
  const error: Error & { cause?: unknown } = new Error('mine')
  error.cause = new Error('other', { cause: error })
  return error
}
