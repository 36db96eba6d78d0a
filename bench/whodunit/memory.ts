/**
 * The same incidents without a log engine: real verbs over a real control store and a real mirror, the records in an array.
 * It judges the rules alone, in seconds; that the engine counts as the array does is for the tests of the log store.
 */

import { execFileSync } from 'node:child_process'
import { makeGitRepository } from '../../packages/demo/src/make-git-repository.ts'
import type { ShopRecord } from '../../packages/demo/src/shop/shop-record.ts'
import { describeError } from '../../packages/server/src/analysis/group/describe-error.ts'
import { fingerprintId } from '../../packages/server/src/analysis/group/fingerprint.ts'
import { toBigInt } from '../../packages/server/src/analysis/pattern/hash.ts'
import { patternId } from '../../packages/server/src/analysis/pattern/pattern.ts'
import type { ErrorGroup } from '../../packages/server/src/control/analyses/place-errors.ts'
import type { Control } from '../../packages/server/src/control/open.ts'
import { createNormalizer } from '../../packages/server/src/ingest/record/normalize.ts'
import type { ProjectLogs } from '../../packages/server/src/logstore/log-store.ts'
import type { StoredRecord } from '../../packages/server/src/logstore/questions.ts'
import type { ProjectId } from '../../packages/server/src/model/project.ts'
import type { TimeRange } from '../../packages/server/src/model/time-range.ts'
import { compileRedaction } from '../../packages/server/src/redaction/redact.ts'
import { NO_REDACTION_CHANGES } from '../../packages/server/src/redaction/settings.ts'
import { createGit } from '../../packages/server/src/repository/git/git.ts'
import { openMirror } from '../../packages/server/src/repository/mirror/open-mirror.ts'
import { controlBackends } from '../../packages/server/src/testing/control.ts'
import { recordsInMemory } from '../../packages/server/src/testing/records-in-memory.ts'
import { openReading } from '../../packages/server/src/verbs/open-reading.ts'
import type { ConnectedRepository } from '../../packages/server/src/verbs/reading/reading-parts.ts'
import { ANALYSIS_STATES } from '../../packages/wire/src/analyses/analysis-state.ts'
import { LOCAL_URL } from '../../packages/wire/src/local-address.ts'
import { DAY_US } from '../../packages/wire/src/time/units.ts'
import type { Exam, Truth } from './ask.ts'
import type { Loadable } from './load.ts'

const RETENTION_DAYS = 30
const PAGE = 200

export type MemoryWorld = Awaited<ReturnType<typeof openMemoryWorld>>
type Played = Loadable & { answers: readonly Truth[] }
type Place = { folder: string; name: string }

/** `isWhole`: with all that happened; without it the clock stands before everything, and `goTo` brings what came until then. */
export async function openMemoryWorld(
  { nowMs, commits, deploys, records }: Played,
  { folder, name }: Place,
  { isWhole }: { isWhole: boolean },
) {
  const backend = controlBackends()[0]!
  const control = await backend.open()
  const { id } = await control.projects.create({ name, retentionDays: RETENTION_DAYS }, { by: 'operator', nowMs })
  const project = (await control.projects.get(id))!
  const stored = storedRecords(records, nowMs)
  const sent = deploys.toSorted((a, b) => a.atMs - b.atMs)
  let [clockMs, recorded, deployed, steps] = [0, 0, 0, 0]

  /** Day by day, as segments come. */
  async function goTo(timeMs: number): Promise<void> {
    clockMs = timeMs
    for (; deployed < sent.length && sent[deployed]!.atMs <= timeMs; deployed += 1) {
      const { deployedAt, ...rest } = sent[deployed]!.body
      await control.deploys.record(id, { ...rest, deployedAtUs: Date.parse(deployedAt) * 1_000 }, timeMs)
    }
    const until = beginOf(stored, timeMs * 1_000)
    if (until > recorded) await recordErrors(control, id, stored.slice(recorded, until), steps++)
    recorded = until
  }

  if (isWhole) await goTo(nowMs)
  const asked: string[] = []
  let known: { until: number; logs: ProjectLogs } | undefined
  const logs = () => {
    const until = isWhole ? stored.length : beginOf(stored, clockMs * 1_000)
    if (known?.until !== until) known = { until, logs: logsOf(stored.slice(0, until)) }
    return counting(known.logs, asked)
  }
  const reading = openReading({
    control,
    logStore: { project: logs },
    repository: await repositoryOf(folder, name, commits),
    secretKey: 'secret',
    publicUrl: LOCAL_URL,
    now: () => clockMs,
  })
  const caller = { kind: 'key', keyId: 'key_1', keyKind: 'read', project } as const
  return { control, reading, caller, stored, project, asked, goTo, close: () => backend.close() }
}

export async function examineInMemory(world: MemoryWorld, answers: readonly Truth[]): Promise<Exam[]> {
  const { reading, caller, stored } = world
  const items = new Map<string, Exam['item']>()
  for (const state of ANALYSIS_STATES) {
    let cursor: string | undefined
    do {
      const page = await reading.listAnalyses(caller, { from: '-30d', state, limit: PAGE, cursor })
      for (const item of page.analyses) items.set(item.id, item)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }
  const exams: Exam[] = []
  for (const truth of answers) {
    const atUs = Date.parse(truth.firstErrorAt) * 1_000
    const first = stored.find((one) => one.timeUs === atUs && one.traceId === truth.traceId && one.fingerprint !== null)
    const { rows } = await reading.listLogs(caller, {
      from: new Date(atUs / 1_000 - 1).toISOString(),
      to: new Date(atUs / 1_000 + 2).toISOString(),
      limit: 500,
    })
    const row = rows.find((one) => one.kind === 'log' && one.id === first?.id)
    const analysisId = row?.kind === 'log' ? row.analysisId : null
    const item = items.get(analysisId ?? '') ?? null
    const detail = analysisId ? (await reading.getAnalysis(caller, { id: analysisId })).analysis : null
    exams.push({ truth, item, detail: item && detail })
  }
  return exams
}

function storedRecords(records: readonly ShopRecord[], nowMs: number): StoredRecord[] {
  const normalize = createNormalizer({
    receivedUs: nowMs * 1_000,
    defaultEnvironment: 'production',
    retentionDays: RETENTION_DAYS,
    needsCleaning: false,
    redaction: compileRedaction(NO_REDACTION_CHANGES),
    redactionCounts: new Map(),
  })
  return records.map((sent, at) => {
    const record = normalize(sent)
    if (typeof record === 'string') throw new Error(record)
    const fingerprint = fingerprintId(record)
    return {
      ...record,
      id: `log_${at}`,
      pattern: toBigInt(patternId(record.message)).toString(16).padStart(16, '0'),
      fingerprint: fingerprint && toBigInt(fingerprint).toString(16).padStart(16, '0'),
      receivedMs: nowMs,
    }
  })
}

/** `step` names the segments: each is recorded once. */
async function recordErrors(
  control: Control,
  projectId: ProjectId,
  records: readonly StoredRecord[],
  step: number,
): Promise<void> {
  const days = new Map<number, Map<string, ErrorGroup>>()
  for (const record of records) {
    const { fingerprint, environment, timeUs, id, service, level } = record
    if (fingerprint === null) continue
    const day = Math.floor(timeUs / DAY_US)
    const groups = days.get(day) ?? new Map<string, ErrorGroup>()
    days.set(day, groups)
    const key = `${environment} ${fingerprint}`
    const group = groups.get(key)
    if (group === undefined) {
      const { message, error, ...described } = describeError(record)
      const sample = { logId: id, message, error, environmentDefaulted: false }
      const times = { count: 1, firstUs: timeUs, firstLogId: id, lastUs: timeUs }
      groups.set(key, {
        projectId,
        environment,
        fingerprint,
        splitValue: '',
        service,
        level,
        ...described,
        ...times,
        sample,
      })
    } else groups.set(key, { ...group, count: group.count + 1, lastUs: timeUs })
  }
  for (const [day, groups] of [...days].sort(([a], [b]) => a - b)) {
    const segments = [{ segmentId: `seg_${step}_${day}`, groups: [...groups.values()] }]
    await control.analyses.record(segments, (day * DAY_US) / 1_000)
  }
}

function beginOf(records: readonly StoredRecord[], atUs: number): number {
  let [low, high] = [0, records.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (records[middle]!.timeUs < atUs) low = middle + 1
    else high = middle
  }
  return low
}

function counting(logs: ProjectLogs, asked: string[]): ProjectLogs {
  return new Proxy(logs, {
    get: (target, name: keyof ProjectLogs) => {
      asked.push(name)
      return target[name]
    },
  })
}

/** Each question looks only at the records of its time, but for those that have none. */
function logsOf(records: readonly StoredRecord[]): ProjectLogs {
  const errors = records.filter(({ fingerprint }) => fingerprint !== null)
  const within = (ranges: readonly TimeRange[], name: string) => {
    const asked = OF_ERRORS.has(name) ? errors : records
    const inside = asked.slice(
      beginOf(asked, Math.min(...ranges.map(({ fromUs }) => fromUs))),
      beginOf(asked, Math.max(...ranges.map(({ toUs }) => toUs))),
    )
    return recordsInMemory(inside).logs as unknown as Record<string, (...args: unknown[]) => Promise<unknown[]>>
  }
  const byId = new Map(records.map((record) => [record.id, record]))
  const byIds = async (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? [])
  let placesOfAll: ReturnType<ProjectLogs['places']> | undefined
  const places = () => {
    placesOfAll ??= recordsInMemory(records).logs.places()
    return placesOfAll
  }
  return new Proxy({ byIds, places } as ProjectLogs, {
    get: (known, name: string) =>
      known[name as 'byIds'] ??
      ((asked: Asked | Asked[], given?: unknown) =>
        Array.isArray(asked)
          ? Promise.all(asked.map(async (one) => (await within(rangesOf(one), name)[name]!([one]))[0]))
          : within([...rangesOf(asked), ...rangesBeside(given)], name)[name]!(asked, given)),
  })
}

/** Questions that no other records matter for. */
const OF_ERRORS = new Set(['errorSpans', 'errorBuckets'])

type Asked = { range?: TimeRange; ranges?: readonly TimeRange[] }

/** Patterns are also counted in a base, and their messages looked up at their times. */
function rangesBeside(given: unknown): TimeRange[] {
  if (Array.isArray(given)) return given.map(({ timeUs }) => ({ fromUs: timeUs, toUs: timeUs + 1 }))
  const { base } = (given ?? {}) as { base?: TimeRange }
  return base === undefined ? [] : [base]
}

function rangesOf({ range, ranges }: Asked): readonly TimeRange[] {
  return ranges ?? (range === undefined ? [] : [range])
}

async function repositoryOf(folder: string, name: string, commits: Loadable['commits']): Promise<ConnectedRepository> {
  const gitDir = `${folder}/${name.replaceAll(' ', '-')}.git`
  await makeGitRepository(gitDir, { commits })
  const headSha = execFileSync('git', ['-C', gitDir, 'rev-parse', 'main'], { encoding: 'utf8' }).trim()
  const mirror = remembering(
    openMirror(createGit({ root: folder }), { gitDir, branch: 'main', headSha, onBroken() {} }),
  )
  return { mirrorOf: async () => ({ state: 'ready', mirror }), refreshSoon() {} }
}

/** Nothing is pushed while it is asked, and the same commits are asked about for many incidents. */
function remembering<Mirror extends object>(mirror: Mirror): Mirror {
  const known = new Map<string, unknown>()
  return new Proxy(mirror, {
    get(target, name: Extract<keyof Mirror, string>) {
      const found = target[name]
      if (typeof found !== 'function') return found
      return (...args: unknown[]) => {
        const key = `${name} ${JSON.stringify(args)}`
        if (!known.has(key)) known.set(key, found.apply(target, args))
        return known.get(key)
      }
    },
  })
}
