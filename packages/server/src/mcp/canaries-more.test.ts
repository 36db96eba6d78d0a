/**
 * Hostile text as it comes in: through ingest, deploys and commits, by way of the real verbs, whose sentences quote it. It is
 * looked for in every tool, in the calls that answers offer and what these answer, in resources, completions and errors.
 */
import { MINUTE_US } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeError } from '../analysis/group/describe-error.ts'
import { fingerprintId } from '../analysis/group/fingerprint.ts'
import { toHex } from '../analysis/pattern/hash.ts'
import { patternId } from '../analysis/pattern/pattern.ts'
import type { Control } from '../control/open.ts'
import { createNormalizer } from '../ingest/record/normalize.ts'
import { createLog } from '../log.ts'
import type { ProjectLogs } from '../logstore/log-store.ts'
import type { StoredRecord } from '../logstore/questions.ts'
import { logId } from '../logstore/schema/log-id.ts'
import type { ProjectWithSettings } from '../model/project.ts'
import type { ChangedFile, Commit } from '../model/repository.ts'
import { compileRedaction } from '../redaction/redact.ts'
import { NO_REDACTION_CHANGES } from '../redaction/settings.ts'
import type { RepositoryMirror } from '../repository/repository-mirror.ts'
import { CANARY, covers, PAYLOADS, pathsWith } from '../testing/canaries.ts'
import { controlBackends } from '../testing/control.ts'
import { recordsInMemory } from '../testing/records-in-memory.ts'
import { openReading } from '../verbs/open-reading.ts'
import { complete } from './complete.ts'
import { getPrompt, PROMPTS } from './prompts.ts'
import { readResource, TEMPLATES } from './resources.ts'
import type { ToolCall } from './tool.ts'
import type { Arguments } from './tool-error.ts'
import { TOOLS } from './tools.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const NOW_US = NOW_MS * 1_000
const MAX_FOLLOWED = 150
/** The lists hold every payload; these are looked at closely. */
const OF_EACH = 12
const PATIENCE_MS = 120_000
const FENCED = /<<UNTRUSTED_LOG ([0-9a-f]{16})>>[\s\S]*?<<END \1>>/g
const backend = controlBackends()[0]!
const at = (index: number) => PAYLOADS[index % PAYLOADS.length] ?? ''
/** Half a character is refused at the door of deploys. */
const sent = (index: number) => at(index).replaceAll('\ud800', '')
/** Names have a limit. */
const nameAt = (index: number) => `${at(index).slice(0, 30)} ${CANARY}`
const shaOf = (index: number) => index.toString(16).padStart(40, 'a')

type Call = { tool: string; arguments: Arguments }

let control: Control
let call: ToolCall
let records: StoredRecord[]
let deployIds: string[]
let analysisIds: string[]

beforeAll(async () => {
  control = await backend.open()
  const made = await control.projects.create({ name: 'Shop', retentionDays: 30 }, { by: 'operator', nowMs: NOW_MS })
  const project = (await control.projects.get(made.id))!
  records = ingested()
  await recordErrors(project)
  deployIds = await recordDeploys(project)
  const analyses = await control.analyses.list(project.id, { sort: 'lastSeen', limit: 500 }, NOW_US)
  analysisIds = analyses.map(({ id }) => id)
  const reading = openReading({
    control,
    logStore: { project: () => logsOf(records) },
    repository: { mirrorOf: async () => ({ state: 'ready', mirror: MIRROR }), refreshSoon() {} },
    secretKey: 'secret',
    publicUrl: 'https://logs.example',
    now: () => NOW_MS,
  })
  call = {
    reading,
    caller: { kind: 'key', keyId: 'key_1', keyKind: 'read', project },
    signal: new AbortController().signal,
    nowMs: NOW_MS,
    publicUrl: 'https://logs.example',
    log: createLog('silent'),
  }
})
afterAll(() => backend.close())

describe('hostile text', () => {
  it(
    'stands inside fences and in fields that are named, wherever the offered calls lead',
    async () => {
      const open: Call[] = [
        ...TOOLS.map(({ definition: { name } }) => ({ tool: name, arguments: ARGUMENTS[name] ?? {} })),
        { tool: 'get_overview', arguments: { environment: 'production', from: '-2h' } },
        { tool: 'list_logs', arguments: { query: 'nobody-says-this' } },
        { tool: 'list_logs', arguments: { service: 'servic-1' } },
        { tool: 'list_analyses', arguments: { query: 'nobody-says-this' } },
        { tool: 'count_logs', arguments: { groupBy: ['pattern', 'service'], bucket: '10m' } },
        { tool: 'list_log_patterns', arguments: { deployId: deployIds[0] } },
        { tool: 'what_changed', arguments: { at: 'deploy:latest+30m' } },
        ...analysisIds.slice(0, OF_EACH).map((id) => ({ tool: 'get_analysis', arguments: { id } })),
        ...analysisIds.slice(0, OF_EACH).map((id) => ({ tool: 'what_changed', arguments: { analysisId: id } })),
        ...deployIds.map((id) => ({ tool: 'get_deploy', arguments: { id } })),
        ...records.slice(0, OF_EACH).map(({ id }) => ({ tool: 'get_log_context', arguments: { id } })),
        ...PAYLOADS.map((ref) => ({ tool: 'resolve_link', arguments: { ref: ref.slice(0, 200) } })),
      ]
      const known = new Set<string>()
      let [seen, followed] = [0, 0]
      for (let one = open.shift(); one !== undefined; one = open.shift()) {
        const key = JSON.stringify(one)
        if (known.has(key)) continue
        known.add(key)
        const { text, structured } = await ask(one)
        seen += text.split(CANARY).length - 1
        const untrusted = structured.untrustedFields as string[]
        const wrong = pathsWith(CANARY, structured).filter((path) => !untrusted.some((field) => covers(field, path)))
        expect({ key, wrong, outside: hasCanary(text.replace(FENCED, '')) }).toEqual({ key, wrong: [], outside: false })
        if (followed < MAX_FOLLOWED) {
          const next = structured.next as Call[]
          open.push(...next)
          followed += next.length
        }
      }
      expect(followed).toBeGreaterThanOrEqual(MAX_FOLLOWED)
      expect(seen).toBeGreaterThan(2_000)
    },
    PATIENCE_MS,
  )

  it(
    'stands inside the fence of every resource',
    async () => {
      const ids = { log: records.map(({ id }) => id), analysis: analysisIds, deploy: deployIds }
      for (const { kind } of TEMPLATES) {
        for (const id of (ids as Record<string, string[]>)[kind]!.slice(0, OF_EACH)) {
          const { contents } = await readResource(call, `tidemark://${kind}/${id}`)
          const text = contents.map((one) => ('text' in one ? one.text : '')).join('\n')
          expect({ kind, id, outside: hasCanary(text.replace(FENCED, '')) }).toEqual({ kind, id, outside: false })
        }
      }
    },
    PATIENCE_MS,
  )

  it(
    'is in no completion, prompt or error',
    async () => {
      const said: unknown[] = []
      for (const { uriTemplate } of TEMPLATES) {
        const ref = { type: 'ref/resource', uri: uriTemplate } as const
        said.push(await complete(call, { ref, argument: { name: 'id', value: '' } }))
      }
      for (const prompt of PROMPTS) {
        const needed = prompt.arguments.map(({ name }) => [name, 'x'] as const)
        said.push(getPrompt(prompt.name, Object.fromEntries(needed)))
        for (const { name } of prompt.arguments) {
          said.push(
            await complete(call, { ref: { type: 'ref/prompt', name: prompt.name }, argument: { name, value: '' } }),
          )
        }
      }
      for (const { definition } of TOOLS) {
        const tool = TOOLS.find((one) => one.definition.name === definition.name)!
        said.push(await tool.call(call, { id: 'unknown', limit: -1, nobody: true }))
      }
      for (const uri of ['tidemark://log/unknown', 'tidemark://deploy/unknown', 'tidemark://analysis/unknown']) {
        said.push(await readResource(call, uri).catch((error: Error) => error.message))
      }
      expect(hasCanary(JSON.stringify(said))).toBe(false)
    },
    PATIENCE_MS,
  )
})

const ARGUMENTS: Record<string, Arguments> = {
  get_log_context: { id: 'log_unknown' },
  get_analysis: { id: 'ana_0123456789abcdef0123456789abcdef' },
  get_deploy: { id: 'latest' },
  resolve_link: { ref: 'src/pay.ts:3' },
  compare_windows: { from: '-1h' },
  list_logs: { limit: 500, maxTokens: 20_000 },
}

async function ask({ tool: name, arguments: args }: Call) {
  const tool = TOOLS.find(({ definition }) => definition.name === name)!
  const { content, structuredContent, isError, errorCode } = await tool.call(call, args)
  const text = content.map((one) => one.text).join('\n')
  if (errorCode === 'internal') throw new Error(`${name} ${JSON.stringify(args)} fails`)
  const structured = (structuredContent ?? {}) as Record<string, unknown>
  return { text, structured: isError ? { untrustedFields: [], next: [], ...structured } : structured }
}

function hasCanary(text: string): boolean {
  return text.includes(CANARY)
}

/** As the door takes them, three of each payload in every field: half an hour ago, after the deploys. */
function ingested(): StoredRecord[] {
  const normalize = createNormalizer({
    receivedUs: NOW_US,
    defaultEnvironment: 'production',
    retentionDays: 30,
    needsCleaning: true,
    redaction: compileRedaction(NO_REDACTION_CHANGES),
    redactionCounts: new Map(),
  })
  return Array.from({ length: 3 * PAYLOADS.length }, (_, index) => {
    const timeUs = NOW_US - 30 * MINUTE_US + index * 10_000_000
    const record = normalize({
      timestamp: new Date(timeUs / 1_000).toISOString(),
      level: index % 4 === 0 ? 'info' : 'error',
      message: at(index),
      environment: 'production',
      service: index % 2 === 0 ? 'service-1' : nameAt(index + 1),
      host: nameAt(index + 2),
      logger: nameAt(index + 3),
      release: nameAt(index + 4),
      traceId: nameAt(index + 5),
      attributes: { [nameAt(index + 6)]: at(index + 7), tenant: at(index + 8) },
      ...(index % 4 !== 0 && {
        error: {
          type: index % 3 === 0 ? 'TypeError' : at(index + 9),
          message: at(index + 10),
          stack: `TypeError: ${at(index + 10)}\n    at pay (/app/src/pay.ts:3:7)\n    at ${at(index + 11)} (/app/${at(index + 12)}:1:1)`,
        },
      }),
    })
    if (typeof record === 'string') throw new Error(record)
    const fingerprint = fingerprintId(record)
    return {
      ...record,
      id: logId({ timeUs, sequence: { hi: 0, lo: index } }),
      pattern: toHex(patternId(record.message)),
      fingerprint: fingerprint && toHex(fingerprint),
      receivedMs: NOW_MS,
    }
  })
}

async function recordErrors(project: ProjectWithSettings): Promise<void> {
  const groups = records.flatMap((record) => {
    const { fingerprint, environment, service, level, timeUs, id } = record
    if (fingerprint === null) return []
    const { message, error, ...described } = describeError(record)
    const sample = { logId: id, message, error, environmentDefaulted: false }
    const times = { count: 1, firstUs: timeUs, firstLogId: id, lastUs: timeUs }
    return [
      {
        projectId: project.id,
        environment,
        fingerprint,
        splitValue: '',
        service,
        level,
        ...described,
        ...times,
        sample,
      },
    ]
  })
  await control.analyses.record(
    groups.map((group, index) => ({ segmentId: `seg_${index}`, groups: [group] })),
    NOW_MS,
  )
}

async function recordDeploys(project: ProjectWithSettings): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < PAYLOADS.length / 4; index += 1) {
    const { deploy } = await control.deploys.record(
      project.id,
      {
        sha: shaOf(index),
        environment: 'production',
        ref: sent(index * 4),
        author: sent(index * 4 + 1),
        message: sent(index * 4 + 2),
        url: `https://ci.example/${sent(index * 4 + 3)}`,
        externalId: sent(index + 1),
        metadata: { [sent(index + 2)]: sent(index + 3) },
        deployedAtUs: NOW_US - (60 - 2 * index) * MINUTE_US,
      },
      NOW_MS,
    )
    ids.push(deploy.id)
  }
  return ids
}

/** Every revision brings commits whose titles, authors and files are payloads, and one of them changes what failed. */
const MIRROR: RepositoryMirror = {
  branch: 'main',
  headSha: shaOf(9),
  commitAt: async () => commitOf(9),
  compare: async () => ({ relation: 'forward', ahead: 2, behind: 0 }),
  changesBetween: async () => ({
    changes: PAYLOADS.map((payload, index) => ({
      commit: commitOf(index),
      files: [changed(index === 0 ? 'src/pay.ts' : `src/${payload}`)],
    })),
    truncated: false,
  }),
  commit: async () => commitOf(1),
  changedFiles: async (_, paths) => (paths ?? ['src/pay.ts']).map(changed),
  patch: async () => '',
  filesAt: async () => ['src/pay.ts', ...PAYLOADS.map((payload) => `src/${payload}`)],
  hunksBetween: async () => [],
  linesAt: async () => PAYLOADS.map((_, index) => at(index)),
  fullHash: async (sha) => sha,
}

function commitOf(index: number): Commit {
  const committedAtUs = NOW_US - 70 * MINUTE_US
  const who = { authorName: at(index + 1), authoredAtUs: committedAtUs, committedAtUs }
  return { sha: shaOf(index), parents: [], ...who, subject: at(index) }
}

function changed(path: string): ChangedFile {
  const hunks = [{ oldFrom: 3, oldLines: 1, newFrom: 3, newLines: 1, section: at(3) }]
  return { path, previousPath: null, change: 'modified', hunks }
}

/** The names and values of attributes are all that the array does not count by itself. */
function logsOf(all: readonly StoredRecord[]): ProjectLogs {
  const { logs } = recordsInMemory(all)
  const fields: ProjectLogs['fields'] = async () => ({
    total: null,
    sampled: all.length,
    fields: [...new Set(all.flatMap(({ attributes }) => [...attributes.keys()]))].map((name) => ({
      field: { kind: 'attribute', name },
      type: 'text',
      records: 1,
      sampled: all.length,
      distinct: 1,
      values: [{ value: String(all.find(({ attributes }) => attributes.has(name))?.attributes.get(name)), count: 1 }],
    })),
  })
  return new Proxy(logs, { get: (known, name: keyof ProjectLogs) => (name === 'fields' ? fields : known[name]) })
}
