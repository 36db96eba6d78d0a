import { describe, expect, it } from 'vitest'
import { findStack } from '../stack/parse-stack.ts'
import { findPathsIn } from './frame-path.ts'

const REPOSITORY = [
  'services/checkout/src/cart.ts',
  'services/checkout/src/index.ts',
  'services/search/src/index.ts',
  'services/search/src/cart.ts',
  'packages/pricing/src/tax/rates.ts',
  'packages/pricing/test/tax/rates.ts',
  'web/app/page.tsx',
  'worker.mjs',
  'api/shop/orders.py',
  'api/shop/__init__.py',
  'src/main/java/com/acme/shop/CartService.java',
  'src/main/kotlin/com/acme/shop/Refunds.kt',
  'legacy/src/com/acme/old/CartService.java',
  'internal/ledger/ledger.go',
  'cmd/api/main.go',
  'Shop/Checkout/Invoice.cs',
  'Shop/Billing/Invoice.cs',
  'app/models/order.rb',
  'public/index.php',
  'src/Domain/Order.php',
  'crates/queue/src/lib.rs',
  'crates/store/src/lib.rs',
]

/** Where the frames of a trace are in the repository, in order, with the lines that are the file's own. */
function found(trace: string, service = ''): (string | null)[] {
  const stack = findStack(trace)!
  const find = findPathsIn(REPOSITORY, service)
  return stack.exceptions.flatMap(({ frames }) =>
    frames.map((frame) => {
      const place = find(frame, stack.language)
      return place && `${place.path}${place.hasOwnLines ? `:${frame.line}` : ''}`
    }),
  )
}

const javascript = (...files: string[]) => `Error: x\n${files.map((file) => `    at total (${file}:10:5)`).join('\n')}`

describe('the file of a frame', () => {
  it('is found after a container and a build folder; compiled files have other lines', () => {
    expect(found(javascript('/usr/src/app/services/checkout/dist/cart.js'))).toEqual(['services/checkout/src/cart.ts'])
    expect(found(javascript('file:///srv/packages/pricing/src/tax/rates.ts'))).toEqual([
      'packages/pricing/src/tax/rates.ts:10',
    ])
    expect(found(javascript('C:\\build\\services\\search\\src\\cart.ts'))).toEqual(['services/search/src/cart.ts:10'])
    expect(found(javascript('/app/worker.mjs'))).toEqual(['worker.mjs:10'])
  })

  it('is found in a bundle that names its sources', () => {
    expect(found(javascript('webpack://shop/./services/checkout/src/cart.ts'))).toEqual([
      'services/checkout/src/cart.ts:10',
    ])
    expect(found(javascript('webpack-internal:///(rsc)/./web/app/page.tsx'))).toEqual(['web/app/page.tsx:10'])
  })

  it('is found in a package of the same repository that was installed', () => {
    expect(found(javascript('/app/node_modules/@acme/pricing/dist/tax/rates.js'))).toEqual([
      'packages/pricing/src/tax/rates.ts',
    ])
    expect(
      found(
        'Traceback (most recent call last):\n  File "/usr/lib/python3.11/site-packages/shop/orders.py", line 7, in place\n    x\nValueError: x',
      ),
    ).toEqual(['api/shop/orders.py:7'])
  })

  it('is told by the service where several have a file of that name, and is none where nothing tells', () => {
    const cart = javascript('/app/dist/cart.js')
    expect(found(cart, 'checkout')).toEqual(['services/checkout/src/cart.ts'])
    expect(found(cart, 'search-service')).toEqual(['services/search/src/cart.ts'])
    expect(found(cart)).toEqual([null])
    expect(found(javascript('/app/dist/index.js'), 'search')).toEqual(['services/search/src/index.ts'])
  })

  it('is none of a library, of Node itself, and of a file that is not there', () => {
    const libraries = [
      'node:internal/process/task_queues',
      '/app/node_modules/express/lib/router/index.js',
      '/app/dist/nowhere.js',
    ]
    expect(found(javascript(...libraries), 'billing')).toEqual([null, null, null])
  })

  it('is found by the package and the class of Java and Kotlin', () => {
    const trace = `java.lang.IllegalStateException: x
	at com.acme.shop.CartService.total(CartService.java:42)
	at com.acme.shop.RefundsKt.refund(Refunds.kt:9)
	at com.acme.old.CartService$Inner.total(CartService.java:7)
	at org.springframework.web.Foo.bar(Foo.java:1)`
    expect(found(trace)).toEqual([
      'src/main/java/com/acme/shop/CartService.java:42',
      'src/main/kotlin/com/acme/shop/Refunds.kt:9',
      'legacy/src/com/acme/old/CartService.java:7',
      null,
    ])
  })

  it('is found by the module of Go, and by the namespace of C# without a file', () => {
    const go = `panic: x

goroutine 1 [running]:
github.com/acme/shop/internal/ledger.(*Ledger).Add(0xc000)
	github.com/acme/shop@v1.4.0/internal/ledger/ledger.go:33 +0x1d
main.main()
	/build/cmd/api/main.go:12 +0x20`
    expect(found(go)).toEqual(['internal/ledger/ledger.go:33', 'cmd/api/main.go:12'])
    const dotnet = `System.InvalidOperationException: x
   at Acme.Shop.Checkout.Invoice.Print(String name)
   at Acme.Shop.Billing.Invoice.Send() in /src/Shop/Billing/Invoice.cs:line 8`
    expect(found(dotnet)).toEqual(['Shop/Checkout/Invoice.cs:null', 'Shop/Billing/Invoice.cs:8'])
  })

  it('is found in Ruby, PHP and Rust', () => {
    expect(
      found("app/models/order.rb:5:in `total': x (ArgumentError)\n\tfrom /srv/app/models/order.rb:9:in `pay'"),
    ).toEqual(['app/models/order.rb:5', 'app/models/order.rb:9'])
    expect(
      found(
        'PHP Fatal error:  Uncaught Exception: x in /var/www/src/Domain/Order.php:12\nStack trace:\n#0 /var/www/public/index.php(3): Order->pay()\n#1 {main}',
      ),
    ).toContain('public/index.php:3')
    expect(
      found(
        "thread 'main' panicked at crates/queue/src/lib.rs:20:9:\nx\nstack backtrace:\n   0: queue::push\n             at ./crates/queue/src/lib.rs:20:9",
      ),
    ).toContain('crates/queue/src/lib.rs:20')
  })
})
