import type { Level } from '@tidemark/wire/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { toBigInt } from '../pattern/hash.ts'
import { type FingerprintInput, fingerprintId, fingerprintOf } from './fingerprint.ts'

const record = (over: Partial<FingerprintInput>): FingerprintInput => ({
  level: 'error',
  message: 'it failed',
  service: 'shop',
  logger: 'app',
  error: null,
  ...over,
})

const withStack = (stack: string, type = '') => record({ error: { type, message: '', stack } })

const groupOf = (input: FingerprintInput) => toBigInt(fingerprintOf(input)!)

/** For each language: a trace, the same fault from another host, build and request, and a different fault. */
const TRACES: Record<string, { one: string; same: string; other: string }> = {
  'JavaScript in Node': {
    one: "TypeError: Cannot read properties of undefined (reading 'id')\n    at price (/srv/a/dist/cart.js:10:5)\n    at async Cart.total (/srv/a/dist/cart.js:20:9)\n    at /srv/a/node_modules/koa/index.js:5:1",
    same: "TypeError: Cannot read properties of undefined (reading 'name')\n    at price (C:\\\\app\\\\dist\\\\cart.js:11:7)\n    at Object.total [as run] (C:\\\\app\\\\dist\\\\cart.js:22:9)\n    at async run (node:internal/x:1:1)",
    other:
      "TypeError: Cannot read properties of undefined (reading 'id')\n    at tax (/srv/a/dist/cart.js:10:5)\n    at async Cart.total (/srv/a/dist/cart.js:20:9)",
  },
  'JavaScript in a browser, bundled': {
    one: 'Error: boom\n    at checkout (https://a.example/assets/main.3f9a1c2b.js:1:900)\n    at e (https://a.example/assets/main.3f9a1c2b.js:1:1200)',
    same: 'Error: boom\n    at checkout (https://b.example/static/main.77ab01cd.js:1:905)\n    at t (https://b.example/static/main.77ab01cd.js:1:1300)',
    other:
      'Error: boom\n    at checkout (https://a.example/assets/admin.3f9a1c2b.js:1:900)\n    at e (https://a.example/assets/admin.3f9a1c2b.js:1:1200)',
  },
  'JavaScript in Chrome and in Firefox': {
    one: 'Error: boom\n    at pay (https://a.example/pay.js:1:9)\n    at Form.send (https://a.example/form.js:2:1)',
    same: 'Error: boom\npay@https://a.example/pay.js:1:9\nsend/<@https://a.example/form.js:2:1',
    other: 'Error: boom\npay@https://a.example/pay.js:1:9\nreset@https://a.example/form.js:2:1',
  },
  Python: {
    one: 'Traceback (most recent call last):\n  File "/app/a.py", line 1, in run\n    go(1)\n  File "/app/b.py", line 9, in go\n    raise ValueError(1)\nValueError: bad id 17',
    same: 'Traceback (most recent call last):\n  File "/usr/lib/python3.11/site-packages/rq/x.py", line 3, in call\n    f()\n  File "/home/x/a.py", line 4, in run\n    go(2)\n  File "/home/x/b.py", line 12, in go\n    raise ValueError(2)\nValueError: bad id 99',
    other:
      'Traceback (most recent call last):\n  File "/app/a.py", line 1, in run\n    go(1)\n  File "/app/b.py", line 9, in go\n    raise KeyError(1)\nKeyError: 17',
  },
  Java: {
    one: 'com.acme.AppException: order 1\n\tat com.acme.Shop.lambda$buy$0(Shop.java:1)\n\tat java.base/java.lang.Thread.run(Thread.java:829)\nCaused by: java.io.IOException: reset\n\tat com.acme.Net.send(Net.java:5)\n\t... 3 more',
    same: 'com.acme.AppException: order 2\n\tat com.acme.Shop.lambda$buy$4(Shop.java:9)\n\tat java.base/java.lang.Thread.runWith(Thread.java:1583)\nCaused by: java.io.IOException: broken pipe\n\tat com.acme.Net.send(Net.java:7)\n\t... 9 more',
    other:
      'com.acme.AppException: order 1\n\tat com.acme.Shop.lambda$buy$0(Shop.java:1)\nCaused by: java.net.SocketTimeoutException: reset\n\tat com.acme.Net.send(Net.java:5)',
  },
  Go: {
    one: 'panic: nil map\n\ngoroutine 7 [running]:\nmain.(*S).put(0x1)\n\t/a/s.go:3 +0x1\nmain.main.func1()\n\t/a/main.go:9 +0x2',
    same: 'panic: nil map\n\ngoroutine 81 [running]:\nmain.(*S).put(0xfff, {0x2})\n\t/build/s.go:8 +0xff\nmain.main.func3()\n\t/build/main.go:19 +0x3',
    other:
      'panic: nil map\n\ngoroutine 7 [running]:\nmain.(*S).get(0x1)\n\t/a/s.go:3 +0x1\nmain.main.func1()\n\t/a/main.go:9 +0x2',
  },
  Ruby: {
    one: "/app/order.rb:3:in `block in total': nil (NoMethodError)\n\tfrom /app/run.rb:1:in `call'",
    same: "/srv/x/order.rb:8:in 'Order#total': nil (NoMethodError)\n\tfrom /gems/rack/a.rb:4:in 'call'\n\tfrom /srv/x/run.rb:2:in 'Run.call'",
    other: "/app/order.rb:3:in `block in tax': nil (NoMethodError)\n\tfrom /app/run.rb:1:in `call'",
  },
  PHP: {
    one: "Uncaught Error: x in /a/Db.php:3\nStack trace:\n#0 /a/Repo.php(2): App\\Db->q('1')\n#1 {main}",
    same: "PHP Fatal error:  Uncaught Error: y in /b/Db.php:9\nStack trace:\n#0 /b/Repo.php(7): App\\Db->q('22', Array)\n#1 /b/vendor/a/b.php(1): run()\n#2 {main}",
    other: "Uncaught Error: x in /a/Db.php:3\nStack trace:\n#0 /a/Repo.php(2): App\\Db->write('1')\n#1 {main}",
  },
  '.NET': {
    one: 'Acme.E: a ---> System.IO.IOException: b\n   at Acme.Io.<Read>d__1.MoveNext() in /a/Io.cs:line 1\n   --- End of inner exception stack trace ---\n   at Acme.P.Main() in /a/P.cs:line 3',
    same: 'Acme.E: c\n ---> System.IO.IOException: d\n   at System.IO.File.Open(String p)\n   at Acme.Io.<Read>d__7.MoveNext() in C:\\b\\Io.cs:line 4\n   --- End of inner exception stack trace ---\n   at Acme.P.Main() in C:\\b\\P.cs:line 5',
    other:
      'Acme.E: a ---> System.IO.IOException: b\n   at Acme.Io.<Write>d__1.MoveNext() in /a/Io.cs:line 1\n   --- End of inner exception stack trace ---\n   at Acme.P.Main() in /a/P.cs:line 3',
  },
  Rust: {
    one: "thread 'a' panicked at src/x.rs:1:2:\nidx 3\nstack backtrace:\n   0: shop::pay::h0123456789abcdef\n             at ./src/x.rs:1:2\n   1: std::rt::main",
    same: "thread 'b' panicked at src/x.rs:7:2:\nidx 9\nstack backtrace:\n   0: core::panic\n   1: shop::pay::{{closure}}::hfedcba9876543210\n             at /build/src/x.rs:7:2",
    other:
      "thread 'a' panicked at src/x.rs:1:2:\nidx 3\nstack backtrace:\n   0: shop::refund::h0123456789abcdef\n             at ./src/x.rs:1:2",
  },
}

describe.each(Object.entries(TRACES))('%s', (_, { one, same, other }) => {
  test('the same fault on another host, in another build and for another request is the same group', () => {
    expect(groupOf(withStack(same))).toBe(groupOf(withStack(one)))
  })

  test('another fault is another group', () => {
    expect(groupOf(withStack(other))).not.toBe(groupOf(withStack(one)))
  })

  test('a trace inside the message groups like one in the error', () => {
    expect(groupOf(record({ message: one }))).toBe(groupOf(withStack(one)))
  })
})

test('a record that is no error has no fingerprint', () => {
  for (const level of ['trace', 'debug', 'info', 'warn'] as Level[]) expect(fingerprintOf(record({ level }))).toBeNull()
  expect(fingerprintId(record({ level: 'info' }))).toBeNull()
  expect(fingerprintId(record({ level: 'info', error: { type: 'E', message: '', stack: '' } }))).not.toBeNull()
  expect(fingerprintId(record({ level: 'fatal' }))).not.toBeNull()
})

test('says what a record was grouped by', () => {
  const explain = (input: FingerprintInput) => fingerprintOf(input)!.grouping
  expect(explain(withStack(TRACES.Java!.one))).toEqual({
    by: 'stack',
    explanation: 'grouped by com.acme.AppException caused by java.io.IOException and 2 in-app frames',
  })
  expect(explain(withStack('Error: x\n    at f (node:fs:1:2)')).explanation).toBe('grouped by Error and 1 frame')
  expect(explain(record({ error: { type: 'Timeout', message: 'after 3 s', stack: '' } }))).toEqual({
    by: 'type',
    explanation: 'grouped by Timeout and message pattern',
  })
  expect(explain(record({}))).toEqual({ by: 'message', explanation: 'grouped by message pattern, service and logger' })
})

test('without a stack the type and the pattern decide, whatever the service', () => {
  const error = (type: string, message: string) => ({ error: { type, message, stack: 'not a stack' } })
  const one = groupOf(record(error('Timeout', 'no answer from 10.0.0.1 in 30 s')))
  expect(groupOf(record({ ...error('Timeout', 'no answer from 10.9.0.7 in 5 s'), service: 'other' }))).toBe(one)
  expect(groupOf(record(error('Refused', 'no answer from 10.0.0.1 in 30 s')))).not.toBe(one)
  expect(groupOf(record(error('Timeout', 'no route to 10.0.0.1')))).not.toBe(one)
})

test('without a type the pattern, the service and the logger decide', () => {
  const one = groupOf(record({ message: 'job 17 failed' }))
  expect(groupOf(record({ message: 'job 18 failed' }))).toBe(one)
  expect(groupOf(record({ message: 'job 18 failed', service: 'mail' }))).not.toBe(one)
  expect(groupOf(record({ message: 'job 18 failed', logger: 'cron' }))).not.toBe(one)
  expect(groupOf(record({ message: 'job 18 finished' }))).not.toBe(one)
})

test('the type that the sender names wins over the one in the trace', () => {
  expect(groupOf(withStack(TRACES.Go!.one, 'NilMap'))).not.toBe(groupOf(withStack(TRACES.Go!.one)))
})

test('how often a function called itself does not part a group', () => {
  const deep = (times: number) =>
    `Error: x\n${'    at walk (/a/tree.js:1:2)\n'.repeat(times)}    at main (/a/main.js:3:4)`
  expect(groupOf(withStack(deep(50)))).toBe(groupOf(withStack(deep(2))))
})

test('the fingerprint for ingest is the fingerprint that is explained', () => {
  for (const { one } of Object.values(TRACES)) {
    const { hi, lo } = fingerprintOf(withStack(one))!
    expect(fingerprintId(withStack(one))).toEqual({ hi, lo })
  }
})

test('a fingerprint stays the same for ever', () => {
  const pinned = Object.entries(TRACES).map(([name, { one }]) => `${name} ${groupOf(withStack(one)).toString(16)}`)
  expect([...pinned, groupOf(record({})).toString(16)]).toMatchInlineSnapshot(`
    [
      "JavaScript in Node 52388154ddff9b94",
      "JavaScript in a browser, bundled 8b8423f4a9cbe71e",
      "JavaScript in Chrome and in Firefox 10d84d113f752082",
      "Python 6edb3ae547267b63",
      "Java acc55f794ffb9d3c",
      "Go 59cd55ec5b599af3",
      "Ruby d82d141e01c3ac47",
      "PHP c490baca16e1ea18",
      ".NET 51c8bba205b0ccec",
      "Rust 8c38d47faad7ff3f",
      "fe9393ccf6b45147",
    ]
  `)
})

test('never throws on any text', () => {
  fc.assert(
    fc.property(anyText(), fc.string(), fc.string(), (message, type, stack) => {
      fingerprintOf(record({ message, error: { type, message, stack: `${stack}\n${message}` } }))
    }),
  )
})
