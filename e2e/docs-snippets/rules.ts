/** How each kind of snippet is tested. A snippet that no rule covers fails, so none can be added untested. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { tryCiConfiguration } from './ci.ts'
import { ship, shipmentOf } from './collectors.ts'
import { differenceInJson, differenceInText } from './expected-output.ts'
import type { Fence } from './fences.ts'
import { tryJsonConfiguration, tryProgramCall, tryTomlConfiguration } from './mcp-clients.ts'
import { parseYaml } from './plain-yaml.ts'
import type { Reader } from './reader.ts'

type Rule = (fence: Fence, reader: Reader) => Promise<void>

const RULES: Record<string, Rule> = {
  sh: tryShell,
  js: tryJavaScript,
  json: (fence, reader) =>
    tryJsonConfiguration(fence.heading, JSON.parse(reader.filled(fence.text)) as Record<string, unknown>, reader),
  toml: (fence, reader) => tryTomlConfiguration(reader.filled(fence.text), reader),
  yaml: tryYaml,
  'json record': tryRecord,
  'json call': tryCall,
  'json output': (fence, reader) => seeOutput(fence, reader, differenceInJson),
  'text output': (fence, reader) => seeOutput(fence, reader, differenceInText),
}

/** What is acknowledged can be read about a second later, an analysis takes some more. */
const PATIENCE_MS = 90_000
const ASK_EVERY_MS = 500
const FAILED = /"error":\s*\{\s*"code"|"isError":\s*true|"rejected":\[\{/

export function tryFence(fence: Fence, reader: Reader): Promise<void> {
  const rule = RULES[[fence.language, ...fence.words].join(' ')]
  if (rule) return rule(fence, reader)
  const kinds = Object.keys(RULES).join(', ')
  throw new Error(
    `No rule covers a fence with "${[fence.language, ...fence.words].join(' ')}". There are: ${kinds}. What cannot be run is marked: \`\`\`${fence.language || 'text'} not-run reason="why"`,
  )
}

async function tryShell({ text, hasOutput }: Fence, reader: Reader): Promise<void> {
  reader.printed = await reader.shell(reader.filled(text))
  if (!hasOutput) expect(reader.printed).not.toMatch(FAILED)
  for (const call of reader.programCalls()) await tryProgramCall(call, reader)
}

/** Every one of them sends something. */
async function tryJavaScript({ text }: Fence, reader: Reader): Promise<void> {
  const before = await reader.acknowledgedRecords()
  reader.printed = await reader.javascript(reader.filled(text))
  expect(await reader.acknowledgedRecords()).toBeGreaterThan(before)
}

async function tryYaml({ text }: Fence, reader: Reader): Promise<void> {
  const config = parseYaml(reader.filled(text)) as Record<string, unknown>
  if (await tryCiConfiguration(config, reader)) return
  const shipment = shipmentOf(config, reader)
  if (!shipment) throw new Error(`No rule covers a configuration with ${Object.keys(config).join(', ')}.`)
  await ship(shipment)
}

async function tryRecord({ text }: Fence, reader: Reader): Promise<void> {
  const response = await fetch(`${reader.url}/v1/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${reader.ingestKey}`, 'content-type': 'application/json' },
    body: reader.filled(text),
  })
  expect(await response.json()).toEqual({ accepted: 1, rejected: [] })
}

/** A call of an MCP tool, as an agent makes it. */
async function tryCall({ text }: Fence, reader: Reader): Promise<void> {
  const response = await fetch(`${reader.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${reader.readKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: JSON.parse(reader.filled(text)) }),
  })
  const answer = (await response.json()) as { result?: { isError?: boolean; content: { text: string }[] } }
  expect(answer, JSON.stringify(answer)).toMatchObject({ result: { content: [{ type: 'text' }] } })
  expect(answer.result?.isError ?? false, JSON.stringify(answer)).toBe(false)
  reader.printed = answer.result?.content[0]?.text ?? ''
}

type Difference = (documented: string, printed: string) => string | undefined

/** Reads are repeated until what was sent can be read. */
async function seeOutput({ text, of }: Fence, reader: Reader, differenceOf: Difference): Promise<void> {
  if (!of) throw new Error('There is no snippet before it.')
  const giveUpAt = Date.now() + PATIENCE_MS
  for (;;) {
    const difference = differenceOf(reader.seen(text), reader.printed)
    if (difference === undefined) return
    if (!onlyAsks(of) || Date.now() > giveUpAt) throw new Error(difference)
    await sleep(ASK_EVERY_MS)
    await tryFence(of, reader)
  }
}

function onlyAsks({ language, words, text }: Fence): boolean {
  return words.includes('call') || (language === 'sh' && /tidemark (logs|analyses)|\/api\//.test(text))
}
