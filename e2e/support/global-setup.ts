/** Once for all test files: what they start is built, so that no test has that in its output or in its time. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))], {
    stdio: 'inherit',
    // With the runner's own `test` in it the dashboard would get the libraries' builds for development.
    env: { ...process.env, NODE_ENV: 'production' },
  })
}
