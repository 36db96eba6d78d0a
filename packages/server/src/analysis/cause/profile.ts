/** What profiles say of records: how often a value is in them, and what a field is about. */
import type { Field } from '@tidemark/wire/query/fields'
import type { FieldProfile, Profile } from '../../model/profile.ts'

export const NOTHING: Profile = { records: 0, fields: [] }

export function fieldOf(profile: Profile, field: Field): FieldProfile | undefined {
  return profile.fields.find((one) => one.field.kind === field.kind && one.field.name === field.name)
}

/** What both have, counted as one. */
export function combined(one: Profile, other: Profile): Profile {
  const added = other.fields.filter(({ field }) => fieldOf(one, field) === undefined)
  const fields = one.fields.map((mine) => {
    const theirs = fieldOf(other, mine.field)
    return theirs === undefined ? mine : { ...mine, records: mine.records + theirs.records, values: sums(mine, theirs) }
  })
  return { records: one.records + other.records, fields: [...fields, ...added] }
}

function sums(one: FieldProfile, other: FieldProfile): FieldProfile['values'] {
  const counts = new Map(one.values.map(({ value, count }) => [value, count]))
  for (const { value, count } of other.values) counts.set(value, (counts.get(value) ?? 0) + count)
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)
}

export function countOf(profile: FieldProfile | undefined, value: string): number {
  return profile?.values.find((one) => one.value === value)?.count ?? 0
}

/** What a field says about a record, by its name. */
export type FieldRole =
  /** What was being done: a route, a job, a queue. */
  | 'operation'
  /** What came of it: a status, a duration, an error. */
  | 'outcome'
  /** Where it ran: a host, a zone. */
  | 'place'
  /** How the program was built or set up. */
  | 'setting'
  /** One of a kind: ids, times. */
  | 'identity'
  /** For whom, and with what. */
  | 'data'

/** The first that fits. Words are parts of a name between dots, underscores, dashes and capitals. */
const ROLES: readonly [FieldRole, RegExp][] = [
  [
    'outcome',
    /^(?:status|statuscode|code|error|errors|err|exception|duration|elapsed|took|latency|ms|result|outcome|attempts?|retry|retries|stack|severity|level|bytes|size|count|remaining|used|lag|depth)$/,
  ],
  [
    'setting',
    /^(?:config|configuration|setting|settings|flag|flags|feature|features|version|build|schema|option|options|mode|limit|timeout|pool|threads|workers|ttl)$/,
  ],
  [
    'identity',
    /^(?:id|ids|uuid|guid|trace|span|request|session|pid|tid|timestamp|time|date|uptime|seq|offset|ip|address|token|hash|sha|commit|nonce|etag|port)$/,
  ],
  [
    'operation',
    /^(?:route|path|url|uri|target|endpoint|method|job|task|cron|queue|topic|handler|operation|rpc|controller|action|command|event|logger|name|query|statement|table|procedure|workflow|step|template|view|screen|page)$/,
  ],
  [
    'place',
    /^(?:host|hostname|node|pod|container|instance|machine|server|zone|region|cluster|datacenter|az|rack|shard|replica)$/,
  ],
]

/** A user's or a tenant's id is whose it is, not which record it is. */
const WHOSE =
  /^(?:user|customer|tenant|account|org|organization|organisation|team|client|company|merchant|shop|store|workspace|partner|member|seller|buyer|plan|country|locale|currency|language|browser|device|platform|provider|channel|segment|cohort|product|sku|category)/

export function roleOf(field: Field): FieldRole {
  if (field.kind === 'core') return CORE_ROLES[field.name] ?? 'outcome'
  const words = wordsOf(field.name)
  if (words.some((word) => WHOSE.test(word))) return 'data'
  // The last word says what it is: `http.status`, `queue.depth`, `job.id`.
  for (const word of words.toReversed()) {
    const found = ROLES.find(([, pattern]) => pattern.test(word))
    if (found !== undefined) return found[0]
  }
  return 'data'
}

const CORE_ROLES: Record<string, FieldRole> = {
  host: 'place',
  logger: 'operation',
  service: 'operation',
  release: 'setting',
  traceId: 'identity',
  spanId: 'identity',
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
