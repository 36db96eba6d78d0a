import { describe, expect, it } from 'vitest'
import { isSameHost } from './parse-pasted.ts'

describe('an address is of this service', () => {
  const ours = 'http://localhost:4700'

  it('by any name of this machine with the same port', () => {
    for (const host of ['localhost:4700', '127.0.0.1:4700', '127.1.2.3:4700', '[::1]:4700', 'logs.localhost:4700']) {
      expect(isSameHost(new URL(`http://${host}/projects`), ours), host).toBe(true)
    }
  })

  it('but not with another port, or by a name that only looks like one', () => {
    for (const host of ['localhost:4701', 'logs.example:4700', 'localhost.example:4700', '128.0.0.1:4700']) {
      expect(isSameHost(new URL(`http://${host}/projects`), ours), host).toBe(false)
    }
  })
})
