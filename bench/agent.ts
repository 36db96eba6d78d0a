/**
 * How an agent fares that has a read key and nothing else: half an hour and six hours after each incident began, when little
 * and when more is known, it asks for the overview, as the instructions tell it, and from there follows the calls that the answers offer, in their order, until it has read the
 * analysis of the incident. What it then knows is compared with the truth: cause, commit and line; and what it cost, in calls
 * and in tokens of the text it read. Real tools over real verbs, the records in an array. `--seeds 1,2,3` chooses the weeks,
 * `--verbose` prints a line for each incident, `--transcripts` all that was asked and answered.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { CHARACTERS_PER_TOKEN } from '../packages/server/src/mcp/text/shorten.ts'
import type { Arguments } from '../packages/server/src/mcp/tool-error.ts'
import { TOOLS } from '../packages/server/src/mcp/tools.ts'
import type { AnalysisAnswer } from '../packages/wire/src/analyses/analysis.ts'
import { LOCAL_URL } from '../packages/wire/src/local-address.ts'
import { MINUTE_MS } from '../packages/wire/src/time/units.ts'
import { type BenchResult, figure, numbersAfter, percentile, share } from './result.ts'
import type { Truth } from './whodunit/ask.ts'
import { type MemoryWorld, openMemoryWorld } from './whodunit/memory.ts'
import { marksOf } from './whodunit/score.ts'
import { makeWhodunit } from './whodunit/weeks/whodunit.ts'

const SEEDS = [1, 2, 3]
/** After it began. */
const CALLED_AFTER_MINUTES = [30, 360] as const
const MAX_CALLS = 8
const GOOD_CALLS = 4
const GOOD_TOKENS = 8_000
const FIRST_CALL: Call = { tool: 'get_overview', arguments: {} }

type Call = { tool: string; arguments: Arguments }
type Step = Call & { text: string; structured: Record<string, unknown> }
type Investigation = { truth: Truth; minutes: number; steps: Step[]; detail: AnalysisAnswer['analysis'] | null }

export async function agent(args: string[]): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-agent-'))
  const all: Investigation[] = []
  try {
    for (const seed of numbersAfter(args, '--seeds') ?? SEEDS) {
      const name = `seed ${seed}`
      const run = makeWhodunit({ seed, nowMs: Date.now() })
      const world = await openMemoryWorld(run, { folder, name }, { isWhole: false })
      const made: Investigation[] = []
      for (const { truth, minutes, atMs } of callsOf(run)) {
        await world.goTo(atMs)
        made.push({ truth, minutes, ...(await investigate(world, truth, atMs)) })
      }
      await world.close()
      if (args.includes('--verbose')) made.forEach(print)
      if (args.includes('--transcripts')) made.forEach(printTranscript)
      all.push(...made)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return CALLED_AFTER_MINUTES.flatMap((minutes) => {
    const made = all.filter((one) => one.minutes === minutes)
    return scores(`after ${minutes} min`, made)
  })
}

/** In the order of time: nothing can be unlearned. An incident at the end of the weeks is asked about at their end. */
function callsOf({ answers, nowMs }: { answers: readonly Truth[]; nowMs: number }) {
  return CALLED_AFTER_MINUTES.flatMap((minutes) =>
    answers.map((truth) => ({
      truth,
      minutes,
      atMs: Math.min(Date.parse(truth.beganAt) + minutes * MINUTE_MS, nowMs),
    })),
  ).sort((a, b) => a.atMs - b.atMs)
}

/** What the overview offers comes before what follows from it: an analysis of something else leads back to it. */
async function investigate(
  world: MemoryWorld,
  truth: Truth,
  nowMs: number,
): Promise<Pick<Investigation, 'steps' | 'detail'>> {
  const analysisId = await analysisOf(world, truth)
  const steps: Step[] = []
  let open: Call[] = [FIRST_CALL]
  while (open.length > 0 && steps.length < MAX_CALLS) {
    const [call, ...rest] = open as [Call, ...Call[]]
    const { text, structured } = await ask(world, call, nowMs)
    steps.push({ ...call, text, structured })
    const { analysis } = structured as Partial<AnalysisAnswer>
    if (call.tool === 'get_analysis' && analysis?.id === analysisId) return { steps, detail: analysis }
    open = [...rest, ...((structured.next as Call[] | undefined) ?? [])].filter(
      (one) => !steps.some((done) => isSame(done, one)),
    )
  }
  return { steps, detail: null }
}

function isSame(one: Call, other: Call): boolean {
  return one.tool === other.tool && JSON.stringify(one.arguments) === JSON.stringify(other.arguments)
}

async function ask({ reading, caller }: MemoryWorld, { tool, arguments: args }: Call, nowMs: number) {
  const found = TOOLS.find(({ definition }) => definition.name === tool)
  if (found === undefined) throw new Error(`An answer offers ${tool}, which does not exist.`)
  const call = {
    reading,
    caller,
    signal: new AbortController().signal,
    nowMs,
    publicUrl: LOCAL_URL,
    log: pino({ level: 'silent' }),
  }
  const { content, structuredContent, isError } = await found.call(call, args)
  const text = content.map((part) => part.text).join('\n')
  if (isError) throw new Error(`${tool} ${JSON.stringify(args)}, offered by an answer, fails: ${text}`)
  return { text, structured: structuredContent as Record<string, unknown> }
}

async function analysisOf({ reading, caller, stored }: MemoryWorld, truth: Truth): Promise<string | null> {
  const atMs = Date.parse(truth.firstErrorAt)
  const first = stored.find(
    (one) => one.timeUs === atMs * 1_000 && one.traceId === truth.traceId && one.fingerprint !== null,
  )
  const [from, to] = [atMs - 1, atMs + 2].map((timeMs) => new Date(timeMs).toISOString())
  const { rows } = await reading.listLogs(caller, { from, to, limit: 500 })
  const row = rows.find((one) => one.kind === 'log' && one.id === first?.id)
  return row?.kind === 'log' ? row.analysisId : null
}

function tokensOf({ steps }: Investigation): number {
  const characters = steps.map(({ text, arguments: args }) => text.length + JSON.stringify(args).length)
  return Math.ceil(characters.reduce((sum, one) => sum + one, 0) / CHARACTERS_PER_TOKEN)
}

/** For clients that hand the structured answer to the model. */
function structuredTokensOf({ steps }: Investigation): number {
  const characters = steps.reduce((sum, { structured }) => sum + JSON.stringify(structured).length, 0)
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

function lineOf({ truth, detail }: Investigation): boolean | null {
  const { commit, file, line } = truth.cause
  if (commit === null || file === null || line === null) return null
  const [suspect] = detail?.suspects ?? []
  return suspect?.sha === commit && suspect.file === file && suspect.line === line
}

function scores(name: string, made: readonly Investigation[]): BenchResult[] {
  const marks = made.map((one) => marksOf({ truth: one.truth, item: one.detail, detail: one.detail }))
  const of = (label: string, asked: readonly (boolean | null)[], bar: number | null) => {
    const applies = asked.filter((mark) => mark !== null)
    return share(`${name}: ${label}`, applies.filter(Boolean).length, applies.length, bar)
  }
  const isCheap = (one: Investigation) =>
    one.detail !== null && one.steps.length <= GOOD_CALLS && tokensOf(one) <= GOOD_TOKENS
  return [
    of(
      'the analysis was reached',
      made.map(({ detail }) => detail !== null),
      null,
    ),
    of(`within ${GOOD_CALLS} calls and ${GOOD_TOKENS} tokens`, made.map(isCheap), 90),
    of(
      'cause right',
      marks.map(({ cause }) => cause),
      90,
    ),
    of(
      'commit right',
      marks.map(({ suspect }) => suspect),
      null,
    ),
    of('line right', made.map(lineOf), null),
    of(
      'cause right within calls and tokens',
      made.map((one, at) => isCheap(one) && marks[at]!.cause),
      null,
    ),
    figure(
      `${name}: calls, median`,
      percentile(
        made.map(({ steps }) => steps.length),
        0.5,
      ),
      'calls',
    ),
    figure(`${name}: tokens, median`, percentile(made.map(tokensOf), 0.5), 'tokens'),
    figure(`${name}: tokens, at most`, Math.max(...made.map(tokensOf)), 'tokens'),
    figure(
      `${name}: tokens of the structured answers, median`,
      percentile(made.map(structuredTokensOf), 0.5),
      'tokens',
    ),
  ]
}

function print(one: Investigation): void {
  const { truth, minutes, steps, detail } = one
  const { cause } = marksOf({ truth, item: detail, detail })
  const told = detail === null ? 'not reached' : `${detail.likelyCause.kind} ${detail.likelyCause.confidence}`
  console.log(
    `  ${cause ? 'right' : 'WRONG'} after ${minutes} min ${truth.kind} (${truth.causeKinds.join(' or ')}): ${told}; ${steps.length} calls, ${tokensOf(one)} tokens: ${steps.map(({ tool, text }) => `${tool} ${Math.ceil(text.length / CHARACTERS_PER_TOKEN)}`).join(', ')}`,
  )
}

function printTranscript({ truth, steps }: Investigation): void {
  console.log(`\n=== ${truth.kind}`)
  for (const { tool, arguments: args, text } of steps) console.log(`\n> ${tool} ${JSON.stringify(args)}\n${text}`)
}
