// How scripts and tests wait for a service: until it has started, and until it has what was sent to it.
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 300_000
/** So that a test says what was missing before its own time is over. */
export const TEST_PATIENCE_MS = 100_000
const ASK_EVERY_MS = 100

/** What `look` finds, asked again while it finds nothing. What it throws ends the wait. */
export async function until(otherwise, look, patienceMs = PATIENCE_MS) {
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt; await sleep(ASK_EVERY_MS)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(otherwise)
}

/** Only after the welcome (packages/server/src/operator/welcome.ts), the last thing a start does. The log knows the port even when the public address hides it. */
export function announcedPort({ stdout, stderr }) {
  if (!stdout.includes('Stop with Ctrl-C.')) return undefined
  const port =
    /"port":(\d+)[^\n]*"msg":"listening"/.exec(stderr)?.[1] ?? /running at http:\/\/localhost:(\d+)/.exec(stdout)?.[1]
  return port === undefined ? undefined : Number(port)
}
