/** Whoever has no key at hand fills in the variable. */
const OWN_KEY = '$TIDEMARK_INGEST_KEY'

/** The line that sends one record, for a shell. */
export function sendCommand(ingestUrl: string, record: object, ingestKey = OWN_KEY): string {
  return [
    `curl -sS ${ingestUrl}/v1/logs`,
    `-H "Authorization: Bearer ${ingestKey}"`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(record)}'`,
  ].join(' \\\n  ')
}
