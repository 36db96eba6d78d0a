import { expect, it } from 'vitest'
import { localOrigin } from './local-address.ts'

it.each([
  ['127.0.0.1', 'http://127.0.0.1:4700'],
  ['0.0.0.0', 'http://127.0.0.1:4700'],
  ['::', 'http://127.0.0.1:4700'],
  ['::1', 'http://[::1]:4700'],
  ['logs.internal', 'http://logs.internal:4700'],
])('a service that listens on %s is reached at %s', (host, origin) => {
  expect(localOrigin(host, 4700)).toBe(origin)
  expect(new URL(origin).port).toBe('4700')
})
