/**
 * The key in `[tidemark@32473 key="…" …]`, taken out of the message before anything else is done with it, so that keeping
 * or logging what is left cannot give the key away.
 */
import { readSyslogHeader } from '@tidemark/wire/senders/syslog-message'
import { keysIn, readStructuredData } from '@tidemark/wire/senders/syslog-structured-data'

type TakenKey = { key: string | null; message: Buffer }

/** Null when the message has two different keys, or structured data in which none can be looked for. */
export function takeKey(message: Buffer): TakenKey | null {
  const header = readSyslogHeader(message)
  if (header === null) return { key: null, message }
  const data = readStructuredData(message, header.end)
  if (data === null) return null
  const keys = keysIn(data.elements)
  if (new Set(keys.map(({ value }) => value)).size > 1) return null
  const parts: Buffer[] = []
  let kept = 0
  for (const { from, to } of keys) {
    parts.push(message.subarray(kept, from))
    kept = to
  }
  return { key: keys[0]?.value ?? null, message: Buffer.concat([...parts, message.subarray(kept)]) }
}
