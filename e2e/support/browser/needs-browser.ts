import { beforeEach } from 'vitest'
import { browserUnavailable } from './browser.ts'

/** The tests of the file are skipped where there is no browser: why there is none, undefined where there is one. */
export function needsBrowser(): string | undefined {
  const unavailable = browserUnavailable()
  beforeEach((ctx) => {
    if (unavailable !== undefined) ctx.skip(unavailable)
  })
  return unavailable
}
