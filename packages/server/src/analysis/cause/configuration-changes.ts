/**
 * Settings whose value changed just before the errors began: in what a service logs when it starts, and in fields of its
 * ordinary records that say how it is set up.
 */
import type { Profile } from '../../model/profile.ts'
import { countOf, fieldOf, roleOf } from './profile.ts'

export type Start = {
  timeUs: number
  message: string
  attributes: ReadonlyMap<string, string | number | boolean | null>
}

export type ConfigurationChange = {
  name: string
  from: string
  to: string
  /** The start that told it first; null when it was seen in ordinary records. */
  atUs: number | null
}

const MAX_CHANGES = 5
const MAX_MESSAGE = 2_000
/** Names of a machine, a process or a revision. */
const NEVER_SETTINGS =
  /(?:^|[._-])(?:pid|ppid|time|timestamp|date|uptime|host|hostname|pod|container|instance|ip|address|id|uuid|trace|span|token|hash|sha|commit|release|build|revision|version|thread|attempt)$/i
/** Measured at each start: two starts that differ are not enough to take it for a setting. */
const MEASURED = /(?:^|[._-])(?:elapsed|duration|took|started|ms|seconds|rss|heap|memory|bytes|count)$/i
const LIMITS = /timeout|limit|max|min|interval|ttl|pool|size/i
const PAIR =
  /(?:^|[\s,;({[])([A-Za-z_][\w.-]{1,60})\s?[=:]\s?(?![\w.-]+=)("[^"]{0,80}"|'[^']{0,80}'|[^\s,;)}\]]{1,80})/g

const TOLD =
  /([A-Za-z_][\w.-]{1,80})["'`]?\s*(?:was |has been |is )?(?:changed|updated|set|switched|moved|went):?\s+from\s+["'`]?([^\s,;"'`]{1,80})["'`]?\s+to\s+["'`]?([^\s,;"'`]{1,80})|([A-Za-z_][\w.-]{1,80})[:=]?\s+["'`]?([^\s,;"'`]{1,80})["'`]?\s*(?:->|=>|→)\s*["'`]?([^\s,;"'`]{1,80})/

/** Changes that a record tells itself: `timeout_ms changed from 2000 to 200`, `pool: 20 → 2`. */
export function toldChanges(fresh: readonly Start[]): ConfigurationChange[] {
  const changes = new Map<string, ConfigurationChange>()
  for (const { timeUs, message } of fresh.toSorted((one, other) => one.timeUs - other.timeUs)) {
    const found = TOLD.exec(message.slice(0, MAX_MESSAGE))
    if (found === null) continue
    const [name, from, to] = found[1] === undefined ? found.slice(4, 7) : found.slice(1, 4)
    const key = `${name} ${from} ${to}`
    if (name !== undefined && from !== undefined && to !== undefined && from !== to && !changes.has(key)) {
      changes.set(key, { name, from, to: to.replace(/[.)]$/, ''), atUs: timeUs })
    }
  }
  return [...changes.values()].slice(0, MAX_CHANGES)
}

/**
 * `fresh`: starts shortly before the first error. `earlier`: those before them. A setting changed when its newest value was
 * first told by a fresh start, and had been another one for most of the starts before.
 */
export function changedAtStart(fresh: readonly Start[], earlier: readonly Start[]): ConfigurationChange[] {
  const sinceUs = Math.min(...fresh.map(({ timeUs }) => timeUs))
  const changes: ConfigurationChange[] = []
  for (const { name, values } of settingsOf([...earlier, ...fresh])) {
    const to = values.at(-1)!.value
    const at = values.findLastIndex(({ value }) => value !== to) + 1
    const [changed, before] = [values[at]!, values.slice(0, at)]
    const from = before.at(-1)?.value
    if (from === undefined || changed.timeUs < sinceUs || NEVER_SETTINGS.test(name)) continue
    if (before.length < 2 && MEASURED.test(name) && !LIMITS.test(name)) continue
    const usual = before.filter(({ value }) => value === from).length
    // What differs from start to start is not a setting.
    if (usual * 3 < before.length * 2 || before.some(({ value }) => value === to)) continue
    changes.push({ name, from, to, atUs: changed.timeUs })
  }
  return changes.slice(0, MAX_CHANGES)
}

/** Fields of ordinary records that name settings or versions, where nearly all have a value that none had before. */
export function changedInRecords(before: Profile, after: Profile): ConfigurationChange[] {
  const changes = after.fields.flatMap(({ field, records, values: [top] }): ConfigurationChange[] => {
    if (field.kind === 'core' || roleOf(field) !== 'setting' || top === undefined) return []
    const was = fieldOf(before, field)
    const [usual] = was?.values ?? []
    if (was === undefined || usual === undefined || was.records < LEAST_RECORDS || records < LEAST_RECORDS) return []
    const isChanged =
      top.count >= SETTLED_SHARE * records && countOf(was, top.value) <= (1 - SETTLED_SHARE) * was.records
    return isChanged && usual.count >= SETTLED_SHARE * was.records
      ? [{ name: field.name, from: usual.value, to: top.value, atUs: null }]
      : []
  })
  return changes.slice(0, MAX_CHANGES)
}

const LEAST_RECORDS = 10
/** Of the records on either side: the others are of machines that started earlier or later. */
const SETTLED_SHARE = 0.9

type Told = { name: string; values: { value: string; timeUs: number }[] }

/** By line of code and name, oldest value first: two lines may use one name for different things. */
function settingsOf(starts: readonly Start[]): Iterable<Told> {
  const settings = new Map<string, Told>()
  for (const { timeUs, message, attributes } of starts.toSorted((one, other) => one.timeUs - other.timeUs)) {
    const printedBy = message.slice(0, MAX_MESSAGE).replace(PAIR, ' $1').replace(/\d+/g, '0')
    const sent = [...attributes].map(([name, value]) => [name, String(value)] as const)
    for (const [name, value] of new Map([...pairsOf(message), ...sent])) {
      const key = `${printedBy} ${name}`
      const told = settings.get(key) ?? { name, values: [] }
      told.values.push({ value, timeUs })
      settings.set(key, told)
    }
  }
  return settings.values()
}

function* pairsOf(message: string): Generator<[string, string]> {
  for (const [, name = '', value = ''] of message.slice(0, MAX_MESSAGE).matchAll(PAIR)) {
    yield [name, value.replace(/^["']|["'.]$/g, '')]
  }
}
