/**
 * What was being done when it failed: the route, the job, the queue that all errors share. Whether a deploy is to blame
 * depends on how often that ran since, not on the clock: a nightly job fails on its first run after the deploy.
 */
import type { Field } from '@tidemark/wire/query/fields'
import type { Profile } from '../../model/profile.ts'
import { fieldOf, roleOf } from './profile.ts'

export type Operation = { field: Field; value: string }

/** Of the errors, and of those that have the field. */
const LEAST_SHARE = 0.9
/** What says most precisely what ran comes first. */
const PRECISE = [
  'job',
  'task',
  'cron',
  'workflow',
  'procedure',
  'rpc',
  'operation',
  'handler',
  'command',
  'route',
  'queue',
  'topic',
  'path',
  'url',
  'target',
  'endpoint',
]

/** Null when the errors share none, or when no other record ever names it. */
export function operationOf(errors: Profile, others: readonly Profile[]): Operation | null {
  const shared = errors.fields.flatMap(({ field, records, values: [top] }) => {
    if (top === undefined || roleOf(field) !== 'operation' || isService(field)) return []
    if (records < LEAST_SHARE * errors.records || top.count < LEAST_SHARE * records) return []
    const isKnown = others.some((profile) => (fieldOf(profile, field)?.records ?? 0) > 0)
    return isKnown ? [{ field, value: top.value }] : []
  })
  const [first] = shared.sort((one, other) => precision(one.field) - precision(other.field))
  return first ?? null
}

function isService({ kind, name }: Field): boolean {
  return kind === 'core' && name === 'service'
}

function precision({ kind, name }: Field): number {
  if (kind === 'core') return PRECISE.length
  const at = PRECISE.findIndex((word) => name.toLowerCase().includes(word))
  return at === -1 ? PRECISE.length + 1 : at
}
