import { describe, expect, it } from 'vitest'
import { findStack } from '../stack/parse-stack.ts'
import { findPathsIn } from './frame-path.ts'
import { packagesOf, placesOf } from './stack-places.ts'

const FILES = ['services/api/src/pay.ts', 'services/api/src/cart.ts', 'services/api/test/pay.test.ts', 'README.md']
const STACK = `Error: outer
    at charge (/srv/app/services/api/src/cart.ts:40:3)
    at next (/srv/app/node_modules/express/lib/router.js:12:5)
    at emit (/srv/app/node_modules/@acme/bus/index.js:3:1)
Caused by: TypeError: inner
    at pay (/srv/app/services/api/src/pay.ts:7:9)
    at charge (/srv/app/services/api/src/cart.ts:38:3)`

describe('a stack in the repository', () => {
  it('begins with the place where the root cause was thrown', () => {
    const places = placesOf(findStack(STACK)!, findPathsIn(FILES, 'api'))
    expect(places.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'services/api/src/pay.ts:7',
      'services/api/src/cart.ts:38',
      'services/api/src/cart.ts:40',
    ])
  })

  it('names the packages of others as their manifest does', () => {
    expect(packagesOf(findStack(STACK)!)).toEqual({ packages: ['express', '@acme/bus'], throwing: [] })
    const python = `Traceback (most recent call last):
  File "/app/shop/pay.py", line 3, in pay
    client.post(url)
  File "/usr/lib/python3.11/site-packages/requests/api.py", line 5, in post
    raise ConnectionError(url)
requests.ConnectionError: no`
    expect(packagesOf(findStack(python)!)).toEqual({ packages: ['requests'], throwing: ['requests'] })
  })
})
