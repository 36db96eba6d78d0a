/** Runs before each test file. */
import { afterAll, afterEach } from 'vitest'
import { endFile, tellOfFailure } from './file-end.ts'

afterEach(({ task }) => {
  if (task.result?.state === 'fail') tellOfFailure()
})
afterAll(endFile)
