import type { Control } from '../control/open.ts'
import { openRedactionThreads } from '../redaction/redact-in-thread.ts'
import { openPeople } from '../verbs/open-people.ts'

const NO_RECORDS = { project: () => ({ lastTimeUs: async () => null }) }

/** What people can do, over a real control store; the log store has no records unless one is given. */
export function testPeople(control: Control, publicUrl: string, logStore: object = NO_RECORDS) {
  const addresses = { ingest: publicUrl, mcp: publicUrl }
  const parts = { control, logStore: logStore as never, publicUrl, addresses, retentionDays: 30, now: Date.now }
  return openPeople({ ...parts, redaction: openRedactionThreads(), webhookSecretOf: String })
}
