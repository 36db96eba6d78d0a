import { expect, test } from 'vitest'
import { isThirdPartyLine, isThirdPartyPath } from './third-party.ts'

test.each([
  '/srv/node_modules/koa/index.js',
  'node_modules/koa/index.js',
  'C:\\app\\node_modules\\koa\\index.js',
  '/usr/lib/python3.12/json/decoder.py',
  '/venv/lib/python3.11/site-packages/flask/app.py',
  '/root/go/pkg/mod/github.com/x/y@v1/z.go',
  '/usr/local/bundle/gems/rack-3/lib/rack.rb',
  '/app/vendor/slim/slim/App.php',
  '/root/.cargo/registry/src/index/serde/lib.rs',
])('%s belongs to a library', (file) => expect(isThirdPartyPath(file)).toBe(true))

test.each([
  '/srv/app/src/vendors.js',
  '/srv/gemstone/x.rb',
  '/home/me/goal/src/main.go',
  'src/order.rs',
  '/app/libs/python.py',
])('%s belongs to the program', (file) => expect(isThirdPartyPath(file)).toBe(false))

test.each([
  '    at handle (/app/node_modules/fastify/lib/x.js:1:1)',
  '    at node_modules/koa/index.js:1:1',
  '    at node:internal/process/task_queues:95:5',
  '    at listOnTimeout (node:internal/timers:573:17)',
  '    at async Promise.all (index 0)',
  '    at Array.map (<anonymous>)',
  'get@https://shop.example/node_modules/axios/a.js:1:2',
  '  File "/venv/lib/python3.11/site-packages/flask/app.py", line 1, in wsgi_app',
  '  File "<frozen importlib._bootstrap>", line 241, in _call_with_frames_removed',
  '\tat java.base/java.lang.Thread.run(Thread.java:840)',
  '\tat jakarta.servlet.http.HttpServlet.service(HttpServlet.java:614) ~[servlet.jar:6.0]',
  '   at Dapper.SqlMapper.Query[T](IDbConnection cnn) in /_/Dapper/SqlMapper.cs:line 12',
  '\t/usr/local/go/src/net/http/server.go:2136 +0x29',
  '#1 /app/vendor/slim/slim/App.php(12): run()',
  '             at /rustc/90b35a6/library/std/src/panicking.rs:645:5',
])('%s is a line of a library', (line) => expect(isThirdPartyLine(line)).toBe(true))

test.each([
  'TypeError: boom',
  '    at pay (/app/src/pay.ts:10:5)',
  '    at play.next (/app/src/play.ts:1:1)',
  '  File "/app/shop/cart.py", line 3, in total',
  '\tat com.shop.Cart.total(Cart.java:12)',
  '   at Shop.Cart.Total(Int32 id) in /src/Cart.cs:line 12',
  'Caused by: java.lang.IllegalStateException: no cart',
])('%s is not', (line) => expect(isThirdPartyLine(line)).toBe(false))
