import { afterAll, beforeEach } from 'vitest'
import type { ControlBackend } from './control.ts'

/** For the tests of a describe: skipped where the backend is not available; it is closed after them. */
export function useBackend(backend: ControlBackend): void {
  beforeEach((test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
  })
  afterAll(() => backend.close())
}
