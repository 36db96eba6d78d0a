/** The frames below the shop's own: what calls a handler in each of the services. */
import type { Frame } from './stack-text.ts'

const MODULES = '/app/node_modules'

export const FASTIFY: readonly Frame[] = [
  { function: 'preHandlerCallback', file: `${MODULES}/fastify/lib/handle-request.js`, line: 161, column: 37 },
  { function: 'next', file: `${MODULES}/fastify/lib/hooks.js`, line: 233, column: 9 },
  { function: 'handler', file: `${MODULES}/fastify/lib/handle-request.js`, line: 117, column: 7 },
  { function: 'process.processTicksAndRejections', file: 'node:internal/process/task_queues', line: 95, column: 5 },
]

export const REACT: readonly Frame[] = [
  {
    function: 'renderWithHooks',
    file: `${MODULES}/react-dom/cjs/react-dom-server.node.development.js`,
    line: 5662,
    column: 18,
  },
  {
    function: 'renderElement',
    file: `${MODULES}/react-dom/cjs/react-dom-server.node.development.js`,
    line: 5797,
    column: 22,
  },
  {
    function: 'renderToString',
    file: `${MODULES}/react-dom/cjs/react-dom-server-legacy.node.development.js`,
    line: 8723,
    column: 18,
  },
]

export const POSTGRES: readonly Frame[] = [
  { function: 'Parser.parseErrorMessage', file: `${MODULES}/pg-protocol/dist/parser.js`, line: 285, column: 98 },
  { function: 'Parser.handlePacket', file: `${MODULES}/pg-protocol/dist/parser.js`, line: 122, column: 29 },
  { function: 'Socket.<anonymous>', file: `${MODULES}/pg-protocol/dist/index.js`, line: 11, column: 42 },
]

export const SPRING: readonly Frame[] = [
  { function: 'java.base/java.lang.reflect.Method.invoke', file: 'Method.java', line: 580 },
  {
    function: 'org.springframework.web.method.support.InvocableHandlerMethod.doInvoke',
    file: 'InvocableHandlerMethod.java',
    line: 258,
  },
  {
    function: 'org.springframework.web.servlet.DispatcherServlet.doDispatch',
    file: 'DispatcherServlet.java',
    line: 1089,
  },
  {
    function: 'org.apache.catalina.core.ApplicationFilterChain.doFilter',
    file: 'ApplicationFilterChain.java',
    line: 138,
  },
  { function: 'java.base/java.lang.Thread.run', file: 'Thread.java', line: 1583 },
]

export const OKHTTP: readonly Frame[] = [
  { function: 'java.base/sun.nio.ch.NioSocketImpl.timedFinishConnect', file: 'NioSocketImpl.java', line: 546 },
  { function: 'java.base/java.net.Socket.connect', file: 'Socket.java', line: 751 },
  { function: 'okhttp3.internal.connection.RealConnection.connectSocket', file: 'RealConnection.kt', line: 295 },
  { function: 'okhttp3.internal.connection.RealCall.execute', file: 'RealCall.kt', line: 154 },
]

const PACKAGES = '/usr/local/lib/python3.12/site-packages'

export const FASTAPI: readonly Frame[] = [
  { function: 'run_endpoint_function', file: `${PACKAGES}/fastapi/routing.py`, line: 212 },
  { function: 'app', file: `${PACKAGES}/fastapi/routing.py`, line: 301 },
  { function: '__call__', file: `${PACKAGES}/starlette/routing.py`, line: 716 },
  { function: '__call__', file: `${PACKAGES}/uvicorn/middleware/proxy_headers.py`, line: 60 },
]

export const GO_MEMORY: readonly Frame[] = [
  { function: 'runtime.throw', file: '/usr/local/go/src/runtime/panic.go', line: 1101 },
  { function: 'runtime.sysMapOS', file: '/usr/local/go/src/runtime/mem_linux.go', line: 167 },
  { function: 'runtime.mallocgc', file: '/usr/local/go/src/runtime/malloc.go', line: 1055 },
  { function: 'runtime.growslice', file: '/usr/local/go/src/runtime/slice.go', line: 264 },
]
