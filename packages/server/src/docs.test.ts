import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BATCH_MEMORY_HOURS } from '../../wire/src/batch-id.ts'
import * as wire from '../../wire/src/limits.ts'
import { BUILT_IN_RULES } from '../../wire/src/redaction-rules.ts'
import { withCommas } from '../../wire/src/text/counted.ts'
import { sizeWords } from '../../wire/src/text/size-words.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../wire/src/time/units.ts'
import * as bytes from './bytes/limits.ts'
import { generatedPages } from './documents.ts'
import { JOURNAL_PACE } from './http/senders/take-journal.ts'
import { HTTP_CONNECTIONS } from './http/server.ts'
import { MAX_WEBHOOK_BYTES } from './http/webhook-routes.ts'
import * as ingest from './ingest/limits.ts'
import { PAIR_BYTES } from './ingest/record/shared-bytes.ts'
import { DEFAULT_MAX_TOKENS } from './mcp/text/shorten.ts'
import { MAX_SOURCE_BYTES } from './repository/repository-mirror.ts'
import * as maps from './sourcemaps/limits.ts'
import { SYSLOG_LIMITS } from './syslog/limits.ts'
import { SOURCE_MAP_RATE } from './verbs/source-maps.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
/** Something in backticks that looks like a path of this repository. */
const PATH = /`((?:packages|packaging|docs|scripts|e2e|bench|\.ci)\/[A-Za-z0-9_./*-]+)`/g
/** How the pages about the source name what is in the server: by the path from its source. */
const NAMED = /`([a-z][\w.-]*(?:\/[\w.-]+)+|[a-z][\w.-]*\.(?:tsx?|mjs|sh))`/g
const MAX_LINES: Record<string, number> = { 'README.md': 120, 'ARCHITECTURE.md': 250, 'CONTRIBUTING.md': 100 }

/** What pages written by hand say of limits, in the numbers that are enforced. */
const STATED_LIMITS: Record<string, string[]> = {
  'docs/agents.md': [
    `kept for ${wire.CALLS_KEPT_DAYS} days, at most ${withCommas(wire.MAX_CALLS_OF_A_KEY)} of a key and ${withCommas(wire.MAX_CALLS_OF_A_PROJECT)} of a project`,
    `\`maxTokens\` (${withCommas(DEFAULT_MAX_TOKENS)} by default)`,
  ],
  'docs/analyses.md': [
    `files up to ${sizeWords(MAX_SOURCE_BYTES)} are shown`,
    `at most ${withCommas(wire.MAX_COMMENT_CHARACTERS)} characters, an analysis at most ${wire.MAX_COMMENTS} of them`,
    `all that match, at most ${withCommas(wire.MAX_CHOSEN)}`,
    `in requests of at most ${wire.MAX_CHANGED_AT_ONCE}, each all or none`,
  ],
  'docs/deploys.md': [`Bodies have at most ${sizeWords(MAX_WEBHOOK_BYTES)}`],
  'docs/explorer.md': [
    `shares at most ${wire.MAX_SHARED_VIEWS} views, each person keeps at most ${wire.MAX_OWN_VIEWS} more`,
  ],
  'docs/operating.md': [
    `let bodies of ${sizeWords(ingest.MAX_SENT_BYTES)} through`,
    `At most ${withCommas(HTTP_CONNECTIONS.connections)} HTTP connections are open, ${withCommas(HTTP_CONNECTIONS.connectionsPerAddress)} from one address`,
  ],
  'docs/senders.md': [
    `at most ${wire.MAX_ATTRIBUTES} labels and an entry at most as many metadata`,
    `each with ${PAIR_BYTES} bytes beside its texts`,
    `up to ${sizeWords(ingest.MAX_SHARED_BYTES)} in a push`,
    `the same bytes within ${BATCH_MEMORY_HOURS} hours is stored once`,
    `A message of more than ${sizeWords(ingest.MAX_SYSLOG_MESSAGE_BYTES)}`,
    `when ${withCommas(SYSLOG_LIMITS.batchMessages)}, ${sizeWords(SYSLOG_LIMITS.batchBytes)} or ${SYSLOG_LIMITS.batchAfterMs} ms have come together`,
    `At most ${withCommas(SYSLOG_LIMITS.connections)} connections are open, ${SYSLOG_LIMITS.connectionsPerAddress} from one address`,
    `a valid key within ${SYSLOG_LIMITS.firstMessageMs / SECOND_MS} seconds`,
    `small messages as ${ingest.LEAST_MESSAGE_BYTES} bytes each`,
    `A field of more than ${sizeWords(wire.MAX_JOURNAL_FIELD_BYTES)}`,
    `every ${JOURNAL_PACE.entriesPerEnd}th entry, and at ${withCommas(JOURNAL_PACE.batchEntries)} entries or ${sizeWords(JOURNAL_PACE.batchBytes)} at the latest`,
    `neither an entry nor ${sizeWords(JOURNAL_PACE.leastBytes)} for a minute`,
    `A key has up to ${ingest.JOURNAL_UPLOAD_LIMITS.key.uploads} uploads at once and a project ${ingest.JOURNAL_UPLOAD_LIMITS.project.uploads}`,
  ],
  'docs/sending-logs.md': [
    ...Object.entries(BUILT_IN_RULES).map(([name, finds]) => `| \`${name}\` | ${finds} |`),
    `more than ${sizeWords(bytes.MAX_INFLATED_BYTES)} or ${withCommas(ingest.MAX_RECORDS)} records; or more than ${sizeWords(ingest.MAX_SHARED_BYTES)} of resource and scope`,
    `${PAIR_BYTES} bytes beside the texts of each attribute; or more than ${sizeWords(ingest.MAX_ROW_BYTES)} as stored`,
  ],
  'docs/sourcemaps.md': [
    `${sizeWords(wire.MAX_SOURCE_MAP_BYTES)} of JSON, as sent and inflated; ${withCommas(maps.MAX_MAPPINGS)} mappings, ${withCommas(maps.MAX_GENERATED_LINES)} lines, ${withCommas(maps.MAX_SOURCES)} sources, ${withCommas(maps.MAX_NAMES)} names, ${withCommas(maps.MAX_SECTIONS)} sections, ${withCommas(maps.MAX_VALUES)} values of JSON in ${bytes.MAX_JSON_DEPTH} levels`,
    `a release | ${withCommas(wire.MAX_SOURCE_MAPS_OF_A_RELEASE)} files`,
    `${wire.MAX_MAPPED_RELEASES} releases, ${withCommas(wire.MAX_SOURCE_MAPS_OF_A_PROJECT)} files, ${sizeWords(wire.MAX_STORED_MAP_BYTES)} as stored`,
    `${withCommas(maps.ROUND_LIMITS.stacks)} different stacks, ${maps.MAX_MAPPED_FRAMES} frames each, of ${maps.ROUND_LIMITS.releases} releases; ${maps.ROUND_LIMITS.maps} maps, ${sizeWords(maps.ROUND_LIMITS.bytes)} in memory`,
    `${maps.UPLOADS_OF_A_KEY} at once, ${SOURCE_MAP_RATE.perSecond} a second`,
  ],
}

describe('the documents', () => {
  it('name only paths that exist', () => {
    const missing = documents.flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(PATH)]
        .map((match) => match[1] ?? '')
        .filter((path) => !path.includes('*') && !existsSync(join(root, path)))
        .map((path) => `${name}: ${path}`),
    )
    expect(missing).toEqual([])
  })

  it.each(['ARCHITECTURE.md', 'docs/where-is.md'])('%s names only files and folders that are where it says', (page) => {
    const named = [...readFileSync(join(root, page), 'utf8').matchAll(NAMED)].map(([, name = '']) => name)
    const missing = named.filter(
      (name) => ![join(root, 'packages/server/src'), root].some((at) => existsSync(join(at, name))),
    )
    expect(missing).toEqual([])
  })

  it('link only to files that exist', () => {
    const broken = documents.flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)[^)]*\)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !existsSync(resolve(root, dirname(name), target)))
        .map((target) => `${name}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it.each(Object.entries(generatedPages()))('%s is fresh (npm run docs makes it)', (name, content) => {
    expect(readFileSync(join(root, name), 'utf8')).toBe(content)
  })

  it.each(Object.entries(STATED_LIMITS))('%s states the limits that are enforced', (name, stated) => {
    const text = readFileSync(join(root, name), 'utf8').replaceAll(/\s+/g, ' ')
    expect(stated.filter((words) => !text.includes(words))).toEqual([])
  })

  it('give an upload of a journal the minute, and a silent syslog connection the hour, that they name', () => {
    expect([JOURNAL_PACE.haltMs, JOURNAL_PACE.waitMs, SYSLOG_LIMITS.idleMs]).toEqual([MINUTE_MS, MINUTE_MS, HOUR_MS])
  })

  it.each(Object.entries(MAX_LINES))('%s stays within %i lines', (name, max) => {
    expect(readFileSync(join(root, name), 'utf8').split('\n').length).toBeLessThanOrEqual(max)
  })
})
