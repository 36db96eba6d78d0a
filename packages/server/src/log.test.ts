import { expect, it } from 'vitest'
import { createLog } from './log.ts'

it('writes no key, in whichever header it came', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const headers = {
    authorization: 'tidemark_ingest_a',
    'x-api-key': 'tidemark_ingest_b',
    'dd-api-key': 'tidemark_ingest_c',
    'user-agent': 'curl',
  }
  log.info({ headers }, 'a request')
  log.info({ req: { headers } }, 'the same')
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line).toContain('curl')
    expect(line).not.toContain('tidemark_ingest')
  }
})
