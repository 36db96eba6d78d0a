/**
 * Whether every MCP tool keeps its word where there is most to say: over many records (`--records N`, default ten million),
 * and over records, an analysis and a deploy of the largest size that is taken. An official client asks each tool at the
 * least, the usual and the largest budget and checks what it gets against the tool's own schema; here it is counted whether
 * an answer stays within its budget in both forms, keeps the ids that lead on, and says what it left out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  CHARACTERS_PER_TOKEN,
  DEFAULT_MAX_TOKENS,
  MAX_TOKENS,
  MIN_TOKENS,
} from '../packages/server/src/mcp/text/shorten.ts'
import type { ToolName } from '../packages/server/src/mcp/tool-names.ts'
import { MAX_ATTRIBUTES, MAX_MESSAGE_BYTES, MAX_RECORD_BYTES, MAX_STACK_LINES } from '../packages/wire/src/limits.ts'
import { askApi, type Filled } from './query/ask.ts'
import { filled } from './query/filled.ts'
import { type BenchResult, figure, numberAfter, share } from './result.ts'

const RECORDS = 10_000_000
const BUDGETS = [MIN_TOKENS, DEFAULT_MAX_TOKENS, MAX_TOKENS]
const LARGE_RECORDS = 30
const LARGE_SERVICE = 'large'

type Ids = { log: string; analysis: string; deploy: string }
type Arguments = Record<string, unknown>
type Question = { tool: ToolName; args: Arguments; budget: number }
type Asked = Question & { ms: number; text: string; structured: Arguments }

/** Each at its widest, and where it shows single records, at the largest. */
const CALLS: Record<ToolName, (ids: Ids) => Arguments[]> = {
  list_projects: () => [{}],
  get_overview: () => [{ from: '-30d' }],
  list_logs: () => [
    { limit: 500, from: '-30d' },
    { limit: 500, query: `service:${LARGE_SERVICE}` },
  ],
  get_log_context: ({ log }) => [{ id: log, before: 50, after: 50 }],
  count_logs: () => [
    { groupBy: ['service', 'level'], bucket: '1h', from: '-30d' },
    { groupBy: ['pattern'], from: '-30d' },
  ],
  list_fields: () => [{ from: '-30d' }, { name: 'message', query: `service:${LARGE_SERVICE}` }],
  list_analyses: () => [{ limit: 200, from: '-30d' }],
  get_analysis: ({ analysis }) => [{ id: analysis }],
  list_deploys: () => [{ limit: 200, from: '-30d' }],
  get_deploy: ({ deploy }) => [{ id: deploy }],
  list_log_patterns: () => [{ from: '-15d', compareFrom: '-30d', compareTo: '-15d' }],
  what_changed: ({ analysis }) => [{ analysisId: analysis }],
  compare_windows: () => [{ from: '-15d', baseFrom: '-30d', baseTo: '-15d' }],
  resolve_link: ({ log }) => [{ ref: log }],
}

export async function tools(args: string[]): Promise<BenchResult[]> {
  const service = await filled(numberAfter(args, '--records') ?? RECORDS)
  const address = new URL('/mcp', service.process.url)
  const client = new Client({ name: 'bench', version: '1.0.0' })
  try {
    const ids = await makeLarge(service)
    const requestInit = { headers: { Authorization: `Bearer ${service.readKey}` } }
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit }))
    // The client checks answers against the schemas that it has read.
    const listed = await client.listTools()
    const questions = listed.tools.flatMap(({ name }) => {
      const tool = name as ToolName
      return CALLS[tool](ids).flatMap((given) => BUDGETS.map((budget): Question => ({ tool, args: given, budget })))
    })
    const asked: Asked[] = []
    for (const question of questions) {
      try {
        asked.push(await ask(client, question))
      } catch (error) {
        console.log(`  ${question.tool} at ${question.budget}: ${error instanceof Error ? error.message : error}`)
      }
    }
    const answered = 'tools: answers without error, valid against their schema'
    return [share(answered, asked.length, questions.length, 100), ...figuresOf(asked), ...timesOf(asked)]
  } finally {
    await client.close()
    await service.process.stop()
  }
}

async function ask(client: Client, { tool, args, budget }: Question): Promise<Asked> {
  const startedAt = performance.now()
  const answer = await client.callTool({ name: tool, arguments: { ...args, maxTokens: budget } })
  const ms = performance.now() - startedAt
  const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  if (answer.isError) throw new Error(`${tool} ${JSON.stringify(args)} failed: ${text}`)
  return { tool, args, budget, ms, text, structured: answer.structuredContent as Arguments }
}

function figuresOf(asked: readonly Asked[]): BenchResult[] {
  const within = asked.filter(({ budget, text, structured }) => {
    const most = budget * CHARACTERS_PER_TOKEN
    return text.length <= most && JSON.stringify(structured).length <= most
  })
  const leading = asked.filter(({ structured }) => lackingIds(structured).length === 0)
  const shortened = asked.filter((one) => isShorter(one, asked))
  const said = shortened.filter(({ structured }) => Array.isArray(structured.cut) && structured.cut.length > 0)
  for (const one of asked) {
    const lacking = lackingIds(one.structured)
    if (lacking.length > 0) console.log(`  ${one.tool} at ${one.budget}: without an id: ${lacking.join(', ')}`)
    if (!within.includes(one)) console.log(`  ${one.tool} at ${one.budget}: over its budget`)
    if (shortened.includes(one) && !said.includes(one))
      console.log(`  ${one.tool} at ${one.budget}: cut without a word`)
  }
  return [
    share('tools: within maxTokens in both forms', within.length, asked.length, 100),
    share('tools: every row keeps its id', leading.length, asked.length, 100),
    share('tools: what was cut is said', said.length, shortened.length, 100),
  ]
}

/** Of the same question with a larger budget more was told. */
function isShorter({ tool, args, budget, structured }: Asked, asked: readonly Asked[]): boolean {
  const most = asked.find((one) => one.tool === tool && one.args === args && one.budget === MAX_TOKENS)
  if (most === undefined || budget === MAX_TOKENS) return false
  return (
    JSON.stringify({ ...structured, next: [] }).length < 0.9 * JSON.stringify({ ...most.structured, next: [] }).length
  )
}

/** Lists whose rows are things that a next call can be about. */
const ROWS_WITH_IDS = [
  'rows',
  'before',
  'after',
  'analyses',
  'newAnalyses',
  'regressedAnalyses',
  'spikingAnalyses',
  'deploys',
]

function lackingIds(structured: Arguments): string[] {
  return ROWS_WITH_IDS.filter((name) => {
    const rows = structured[name]
    return Array.isArray(rows) && rows.some((row) => typeof (row as { id?: unknown }).id !== 'string')
  })
}

function timesOf(asked: readonly Asked[]): BenchResult[] {
  const slowest = new Map<string, number>()
  for (const { tool, ms } of asked) slowest.set(tool, Math.max(slowest.get(tool) ?? 0, ms))
  return [...slowest].map(([tool, ms]) => figure(`tools: ${tool}, the slowest of its calls`, ms, 'ms'))
}

/** A deploy with long words, and errors that fill what a record may hold. */
async function makeLarge(service: Filled): Promise<Ids> {
  const now = Date.now()
  const deployed = await post(service, '/v1/deploys', {
    projectApiKey: service.ingestKey,
    externalId: 'large',
    sha: 'b'.repeat(40),
    environment: 'production',
    status: 'succeeded',
    deployedAt: new Date(now - 600_000).toISOString(),
    metadata: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`key_${at}`, 'long words '.repeat(40)])),
  })
  const logs = Array.from({ length: LARGE_RECORDS }, (_, at) => largeRecord(now - 1_000 * (at + 1), at))
  await post(service, '/v1/logs', { logs })
  for (;;) {
    const { rows } = (await askApi(service, `/api/logs?query=service:${LARGE_SERVICE}&limit=1`)) as {
      rows: { id: string; analysisId: string | null }[]
    }
    const [row] = rows
    if (row?.analysisId)
      return { log: row.id, analysis: row.analysisId, deploy: (deployed as { deploy: { id: string } }).deploy.id }
    await sleep(500)
  }
}

function largeRecord(atMs: number, seed: number): object {
  const stack = Array.from(
    { length: MAX_STACK_LINES / 4 },
    (_, at) => `    at step${at} (/srv/app/src/step${at}.js:${at + 1}:5)`,
  )
  const message = `failed ${seed} `.padEnd(MAX_MESSAGE_BYTES - 100, 'because it is long ')
  const fixed = {
    timestamp: new Date(atMs).toISOString(),
    level: 'error',
    service: LARGE_SERVICE,
    environment: 'production',
    traceId: seed.toString(16).padStart(32, 'a'),
    message,
    error: {
      type: 'LargeError',
      message: 'as large as it may be',
      stack: ['LargeError: as large as it may be', ...stack].join('\n'),
    },
  }
  const left = MAX_RECORD_BYTES - JSON.stringify(fixed).length - 4_000
  const value = 'v'.repeat(Math.floor(left / MAX_ATTRIBUTES) - 20)
  const attributes = Object.fromEntries(Array.from({ length: MAX_ATTRIBUTES - 1 }, (_, at) => [`field_${at}`, value]))
  return { ...fixed, attributes }
}

async function post({ process, ingestKey }: Filled, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${process.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ingestKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { rejected?: number }
  if (!response.ok || (answer.rejected ?? 0) > 0)
    throw new Error(`${path} answered ${JSON.stringify(answer).slice(0, 500)}`)
  return answer
}
