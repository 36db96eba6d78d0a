import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuMsOf } from '../../testing/cpu-time.ts'
import { findStack, MAX_FRAMES, stackOf } from './parse-stack.ts'
import type { Stack } from './types.ts'

/** One line per exception and frame; `*` marks a frame of the program's own. */
function outline(stack: Stack | null): string[] {
  if (stack === null) return ['none']
  return [
    stack.language,
    ...stack.exceptions.flatMap(({ type, message, frames }) => [
      `${type}: ${message}`,
      ...frames.map((f) =>
        `  ${f.inApp ? '*' : '-'} ${f.function} ${f.file} ${f.line ?? ''}${f.column === null ? '' : `:${f.column}`}`.trimEnd(),
      ),
    ]),
  ]
}

describe('an error', () => {
  const message = 'it broke\n    at f (/srv/app/a.js:1:2)'
  const own = 'Error: no\n    at g (/srv/app/b.js:3:4)'

  test('has its own stack, or the one in its message', () => {
    const functions = (error: { stack: string } | null) =>
      stackOf({ error, message })?.exceptions[0]?.frames[0]?.function
    expect([null, { stack: '' }, { stack: 'cut off' }, { stack: own }].map(functions)).toEqual(['f', 'f', 'f', 'g'])
  })
})

describe('JavaScript', () => {
  test('reads a cause that a logger wrote after the trace', () => {
    const stack = findStack(`Error: checkout failed
    at pay (/srv/app/src/pay.ts:3:9)
Caused by: TypeError: card is undefined
    at charge (/srv/app/src/charge.ts:7:1)`)
    expect(stack?.exceptions.map(({ type, frames }) => [type, frames.map((frame) => frame.function)])).toEqual([
      ['Error', ['pay']],
      ['TypeError', ['charge']],
    ])
  })

  test('reads V8 with async frames, constructors, aliases, natives and a cause', () => {
    const text = `OrderError: cannot place order 17
    at new Order (/srv/app/dist/order.js:10:11)
    at async OrderService.place [as run] (file:///srv/app/dist/service.js:44:5)
    at Object.<anonymous> (/srv/app/node_modules/express/lib/router.js:5:3)
    at async Promise.all (index 0)
    at node:internal/process/task_queues:95:5 {
  [cause]: TypeError: Cannot read properties of undefined (reading 'id')
      at findUser (webpack:///./src/user.ts?a1b2:7:9)
      at Array.map (<anonymous>)
}`
    expect(outline(findStack(text))).toEqual([
      'javascript',
      'OrderError: cannot place order 17',
      '  * Order /srv/app/dist/order.js 10:11',
      '  * place /srv/app/dist/service.js 44:5',
      '  -  /srv/app/node_modules/express/lib/router.js 5:3',
      '  - all index 0',
      '  -  node:internal/process/task_queues 95:5',
      "TypeError: Cannot read properties of undefined (reading 'id')",
      '  * findUser src/user.ts 7:9',
      '  - map <anonymous>',
    ])
  })

  test('reads Firefox and Safari', () => {
    const text = `TypeError: cart is undefined
total/<@https://shop.example.com/assets/main.3f9a1c2b.js:2:1402
async*checkout@https://shop.example.com/assets/main.3f9a1c2b.js:2:99
forEach@[native code]
@https://shop.example.com/assets/main.3f9a1c2b.js:1:1`
    expect(outline(findStack(text))).toEqual([
      'javascript',
      'TypeError: cart is undefined',
      '  * total https://shop.example.com/assets/main.3f9a1c2b.js 2:1402',
      '  * checkout https://shop.example.com/assets/main.3f9a1c2b.js 2:99',
      '  - forEach [native code]',
      '  *  https://shop.example.com/assets/main.3f9a1c2b.js 1:1',
    ])
  })
})

describe('Python', () => {
  test('turns the order of calls and of chained exceptions round', () => {
    const text = `2026-01-02 ERROR worker failed
Traceback (most recent call last):
  File "/app/store.py", line 12, in load
    return rows[key]
           ~~~~^^^^^
KeyError: 'id'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/usr/lib/python3.12/threading.py", line 1010, in run
    self._target(*self._args)
  File "/app/worker.py", line 30, in <lambda>
    lambda: handle(job)
  File "/app/worker.py", line 22, in handle
    raise StoreError("gone") from None
app.errors.StoreError: gone`
    expect(outline(findStack(text))).toEqual([
      'python',
      'app.errors.StoreError: gone',
      '  * handle /app/worker.py 22',
      '  *  /app/worker.py 30',
      '  - run /usr/lib/python3.12/threading.py 1010',
      "KeyError: 'id'",
      '  * load /app/store.py 12',
    ])
  })
})

describe('Java and Kotlin', () => {
  test('follows causes, skips suppressed exceptions and cleans generated names', () => {
    const text = `Exception in thread "main" com.acme.ShopException: checkout failed
\tat com.acme.shop.Checkout.lambda$pay$3(Checkout.java:41)
\tat java.base/java.util.Optional.map(Optional.java:260)
\tat com.acme.shop.Checkout$$EnhancerBySpringCGLIB$$1f2e.pay(<generated>) ~[shop.jar:1.2]
\tSuppressed: java.io.IOException: close failed
\t\tat com.acme.db.Pool.close(Pool.java:9)
\tCaused by: java.lang.Error: not a cause of the first
\t\tat com.acme.db.Pool.inner(Pool.java:10)
Caused by: java.sql.SQLException: timeout
\tat com.acme.db.Dao.find(Dao.kt:77)
\t... 12 more`
    expect(outline(findStack(text))).toEqual([
      'java',
      'com.acme.ShopException: checkout failed',
      '  * com.acme.shop.Checkout.lambda$pay Checkout.java 41',
      '  - java.util.Optional.map Optional.java 260',
      '  * com.acme.shop.Checkout$$Proxy.pay',
      'java.sql.SQLException: timeout',
      '  * com.acme.db.Dao.find Dao.kt 77',
    ])
  })
})

describe('Go', () => {
  test('reads the panicking goroutine and leaves the others out', () => {
    const text = `panic: runtime error: index out of range [5] with length 3 [recovered]

goroutine 34 [running]:
panic({0x1005e0?, 0x140001b2000?})
\t/usr/local/go/src/runtime/panic.go:884 +0x204
main.(*Server).handle.func2(0xc000123, {0x1, 0x2})
\t/home/ci/build/server.go:88 +0x1d
github.com/gin-gonic/gin.(*Context).Next(...)
\t/root/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/context.go:174
created by net/http.(*Server).Serve in goroutine 1
\t/usr/local/go/src/net/http/server.go:3086 +0x5cc

goroutine 1 [IO wait]:
main.main()
\t/home/ci/build/main.go:10 +0x20`
    expect(outline(findStack(text))).toEqual([
      'go',
      'runtime error: index out of range [5] with length 3',
      '  * main.(*Server).handle.func /home/ci/build/server.go 88',
      '  - github.com/gin-gonic/gin.(*Context).Next /root/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/context.go 174',
      '  - net/http.(*Server).Serve /usr/local/go/src/net/http/server.go 3086',
    ])
  })
})

describe('Ruby', () => {
  test('reads an uncaught error with its cause', () => {
    const text = `app/models/order.rb:12:in \`block (2 levels) in total': undefined method \`price' for nil (NoMethodError)
\tfrom /usr/local/bundle/gems/rack-3.0.8/lib/rack/server.rb:10:in \`call'
\tfrom bin/run:3:in \`<main>'
app/models/cart.rb:4:in 'Cart#fetch': gone (Cart::Missing)
\tfrom app/models/order.rb:11:in 'Order#total'`
    expect(outline(findStack(text))).toEqual([
      'ruby',
      "NoMethodError: undefined method `price' for nil",
      '  * total app/models/order.rb 12',
      '  - call /usr/local/bundle/gems/rack-3.0.8/lib/rack/server.rb 10',
      '  * <main> bin/run 3',
      'Cart::Missing: gone',
      '  * fetch app/models/cart.rb 4',
      '  * total app/models/order.rb 11',
    ])
  })

  test('reads the header that Rails puts above a backtrace', () => {
    const text = `ActiveRecord::RecordNotFound (Couldn't find User with 'id'=17):\n  \napp/controllers/users_controller.rb:9:in \`show'`
    expect(outline(findStack(text))).toEqual([
      'ruby',
      "ActiveRecord::RecordNotFound: Couldn't find User with 'id'=17",
      '  * show app/controllers/users_controller.rb 9',
    ])
  })
})

describe('PHP', () => {
  test('puts what came last first and adds the place of the throw', () => {
    const text = `PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] in /app/src/Db.php:17
Stack trace:
#0 /app/src/Repo.php(20): App\\Db->query('SELECT (1)')
#1 [internal function]: App\\Repo->{closure}(Object(App\\X))
#2 {main}

Next App\\StoreException: cannot load in /app/src/Repo.php:25
Stack trace:
#0 /app/vendor/slim/slim/App.php(99): App\\Repo->load(Array)
#1 {main}
  thrown in /app/src/Repo.php on line 25`
    expect(outline(findStack(text))).toEqual([
      'php',
      'App\\StoreException: cannot load',
      '  *  /app/src/Repo.php 25',
      '  - App\\Repo->load /app/vendor/slim/slim/App.php 99',
      'PDOException: SQLSTATE[HY000]',
      '  *  /app/src/Db.php 17',
      '  * App\\Db->query /app/src/Repo.php 20',
      '  - {closure}',
    ])
  })
})

describe('.NET', () => {
  test('gives each exception of the chain its own frames', () => {
    const text = `Unhandled exception. Acme.OrderException: order failed
 ---> System.InvalidOperationException: no rows
   at System.Linq.Enumerable.First[T](IEnumerable\`1 source)
   at Acme.Repo.<FindAsync>d__5.MoveNext() in C:\\src\\Repo.cs:line 31
   --- End of inner exception stack trace ---
   at Acme.Orders.<>c__DisplayClass3_0.<Place>b__0(Order o) in /src/Orders.cs:line 12
--- End of stack trace from previous location ---
   at Acme.Program.Main(String[] args)`
    expect(outline(findStack(text))).toEqual([
      'dotnet',
      'Acme.OrderException: order failed',
      '  * Acme.Orders.Place /src/Orders.cs 12',
      '  * Acme.Program.Main',
      'System.InvalidOperationException: no rows',
      '  - System.Linq.Enumerable.First',
      '  * Acme.Repo.FindAsync C:\\src\\Repo.cs 31',
    ])
  })
})

describe('Rust', () => {
  test('reads a panic and its backtrace', () => {
    const text = `thread 'tokio-worker-3' panicked at src/order.rs:42:9:
index out of bounds: the len is 3 but the index is 7
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b431/library/std/src/panicking.rs:645:5
   1: core::panicking::panic_fmt
   2: shop::order::total::{{closure}}::h0123456789abcdef
             at ./src/order.rs:42:9
   3: shop::main
             at ./src/main.rs:7:5`
    expect(outline(findStack(text))).toEqual([
      'rust',
      'panic: index out of bounds: the len is 3 but the index is 7',
      '  - rust_begin_unwind /rustc/9fc6b431/library/std/src/panicking.rs 645:5',
      '  - core::panicking::panic_fmt',
      '  * shop::order::total ./src/order.rs 42:9',
      '  * shop::main ./src/main.rs 7:5',
    ])
  })

  test('takes the place of the panic when there is no backtrace', () => {
    const text = "thread 'main' panicked at 'oh no', src/main.rs:5:10\nnote: run with `RUST_BACKTRACE=1`"
    expect(outline(findStack(text))).toEqual(['rust', 'panic: oh no', '  *  src/main.rs 5:10'])
  })
})

describe('any text', () => {
  test('finds no stack in prose, in access logs or in a single line', () => {
    for (const text of [
      'user at work\nat home\nat last (see below)',
      'GET /a@b:1:2 200\nPOST /c 500',
      'TypeError: x',
      'mail from a@example.com\nto b@example.com:25',
      '#1 item (3): fine',
      '',
    ]) {
      expect(outline(findStack(text)), text).toEqual(['none'])
    }
  })

  test('reads the same frames from CRLF, from indented and from interleaved text', () => {
    const plain = 'RangeError: too long\n    at pad (/srv/a.js:1:2)\n    at main (/srv/b.js:3:4)'
    const expected = outline(findStack(plain))
    expect(expected).toHaveLength(4)
    expect(outline(findStack(plain.replaceAll('\n', '\r\n')))).toEqual(expected)
    expect(outline(findStack(plain.replaceAll(/^/gm, '      ')))).toEqual(expected)
    expect(outline(findStack(plain.replace('\n    at main', '\n10:00 INFO unrelated line\n    at main')))).toEqual(
      expected,
    )
    expect(outline(findStack(`request 12 failed\n${plain}`))).toEqual(expected)
  })

  test('reads what is left of a trace that was cut off in the middle of a frame', () => {
    const text = 'Error: x\n    at one (/srv/a.js:1:2)\n    at two (/srv/b.j'
    expect(outline(findStack(text))).toEqual(['javascript', 'Error: x', '  * one /srv/a.js 1:2'])
  })

  test('keeps at most 200 frames of a huge trace and reads only its beginning', () => {
    const text = `Error: deep\n${'    at f (/srv/a.js:1:2)\n'.repeat(100_000)}`
    const frames = findStack(text)!.exceptions.flatMap((exception) => exception.frames)
    expect(frames).toHaveLength(MAX_FRAMES)
  })

  test('never throws, and answers hostile text of 64 KiB within a second', () => {
    const pieces = [
      'at ',
      'File "',
      ', line 1',
      '(',
      ')',
      ':1:2',
      '#0 ',
      ' in ',
      '@',
      '[cause]: ',
      ' ---> ',
      'a.b',
      '\n',
      ' ',
      '\\',
      "'",
      'goroutine 1 [',
      'x.go:1',
      ':in `',
      '1: ',
    ]
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string())),
        (parts) => void findStack(parts.join('')),
      ),
      { numRuns: 500 },
    )
    for (const piece of [...pieces, 'A.', 'Next A', 'Caused by: A.']) {
      for (const line of [
        piece.repeat(Math.ceil(65_536 / piece.length)),
        `${piece.repeat(60)}\n`.repeat(400),
        `at a(${piece}\n`.repeat(8000),
        `${`${piece.repeat(40)}\n`.repeat(100)}    at f (/srv/a.js:1:2)`.slice(-60_000),
      ]) {
        expect(
          cpuMsOf(() => findStack(`x\n${line}`)),
          piece,
        ).toBeLessThan(1_000)
      }
    }
  })
})
