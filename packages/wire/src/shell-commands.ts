/**
 * The lines for a shell that people are shown, which work as they are. Each is a list of parts, to be joined on one line or
 * on several. Without a key at hand, fill in the variable.
 */
import type { KeyKind } from './people/key-kind.ts'
import { isSeenWhole, replaceUnseen } from './text/stranger-text.ts'

const OWN_KEY = '$TIDEMARK_INGEST_KEY'

export const ON_ONE_LINE = ' '
export const ON_LINES = ' \\\n  '

const JSON_BODY = `-H 'Content-Type: application/json'`

/** What people send first. */
export const A_RECORD = { message: 'hello', level: 'info', service: 'shell', environment: 'production' }

/** Sends one record, in which no text has a single quote. */
export function sendCommand(ingestUrl: string, record: object, ingestKey = OWN_KEY): string[] {
  return [
    `curl -sS ${ingestUrl}/v1/logs`,
    `-H "Authorization: Bearer ${ingestKey}"`,
    JSON_BODY,
    `-d '${JSON.stringify(record)}'`,
  ]
}

/** Records a deploy of what is checked out, now. */
export function recordDeployCommand(ingestUrl: string, ingestKey = OWN_KEY): string[] {
  const fields = [
    `"projectApiKey":"${ingestKey === OWN_KEY ? expanded(ingestKey) : ingestKey}"`,
    `"sha":"${expanded('$(git rev-parse HEAD)')}"`,
    '"environment":"production"',
    `"deployedAt":"${expanded('$(date -u +%Y-%m-%dT%H:%M:%SZ)')}"`,
  ]
  return [`curl -sS ${ingestUrl}/v1/deploys`, JSON_BODY, `-d '{${fields.join(',')}}'`]
}

/** Sends the source maps of what is checked out, once it is built. The key comes from the environment. */
export function uploadMapsCommand(ingestUrl: string): string[] {
  return [
    `TIDEMARK_URL=${ingestUrl} npx --yes --package ${ingestUrl}/cli.tgz`,
    'tidemark sourcemaps upload dist --release "$(git rev-parse HEAD)"',
  ]
}

/**
 * Variables that every OpenTelemetry SDK reads, each on a line of its own. The address is for all signals: without an exporter
 * for traces, SDKs put no trace ids into logs. By HTTP, because some SDKs default to gRPC.
 */
export function otelCommands(ingestUrl: string, ingestKey = OWN_KEY): string[] {
  return [
    'export OTEL_LOGS_EXPORTER=otlp',
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${ingestUrl}`,
    `export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20${ingestKey}"`,
  ]
}

/** Connects Claude Code to the tools, under a name of its own. */
export function claudeCommand(mcpUrl: string, readKey: string, name = 'tidemark'): string {
  return `claude mcp add --transport http ${name} ${mcpUrl}/mcp --header "Authorization: Bearer ${readKey}"`
}

/** Makes a key, once the project is named in it: who is told to has shown no key, so theirs is not known. */
export function createKeyCommand(kind: KeyKind): string {
  return `tidemark key create --project <project> --kind ${kind}`
}

/** The records that match, as the command line asks for them. An exclusion at the beginning would be taken for an option. */
export function logsCommand(query: string | undefined, options: Record<string, string | true | undefined>): string {
  const given = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (typeof value === 'string' ? `--${name}=${shellWord(value)}` : `--${name}`))
  const asked = query === undefined ? [] : [shellWord(query)]
  return ['tidemark logs', ...(query?.startsWith('-') ? [...given, '--', ...asked] : [...asked, ...given])].join(' ')
}

/** A text as one word of a shell, unchanged whatever it contains. What a terminal would not show is written as its bytes. */
export function shellWord(text: string): string {
  if (/^[\w./:=@-]+$/.test(text)) return text
  if (isSeenWhole(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return `$'${replaceUnseen(escaped, inOctal)}'`
}

function inOctal(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

/** Out of the single quotes around it, and back into them. */
function expanded(expression: string): string {
  return `'"${expression}"'`
}
