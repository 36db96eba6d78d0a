/**
 * Values that errors have far more often than the other records of their service around that time. Only fields that both have can
 * be compared: what only a failing line logs says nothing.
 */
import type { Field } from '@tidemark/wire/query/fields'
import type { Profile } from '../../model/profile.ts'
import { likelihoodRatio } from '../chance/likelihood-ratio.ts'
import { countOf, type FieldRole, fieldOf, roleOf } from './profile.ts'

export type StandoutFound = {
  field: Field
  role: FieldRole
  value: string
  errors: number
  errorsWithField: number
  others: number
  othersWithField: number
  /** How many times as much of it as chance would bring: for the order only. */
  weight: number
}

const MAX_STANDOUTS = 5
const LEAST_ERRORS = 5
const LEAST_OTHERS = 20
/** Of the errors that have the field … */
const LEAST_SHARE = 0.6
/** … and this much more than of the others. */
const LEAST_DIFFERENCE = 0.4
/** Where all errors have it, but for a stray one, a frequent value stands out too. */
const ALL_HAVE_IT = 0.97
const LEAST_OF_ALL = 0.15
/** Of all errors; a field that few have explains few. */
const LEAST_WITH_FIELD = 0.5
/** Twice the logarithm of the likelihood ratio; chance passes it about once in ten thousand fields. */
const LEAST_LIKELIHOOD = 15
/** Effects of the error, and values that are different in every record. */
const NEVER: ReadonlySet<FieldRole> = new Set(['outcome', 'identity'])

/** The most telling first. */
export function standoutsOf(errors: Profile, others: Profile): StandoutFound[] {
  const found = errors.fields.flatMap((profile) => {
    const { field } = profile
    const role = roleOf(field)
    const [top] = profile.values
    const rest = fieldOf(others, field)
    if (top === undefined || rest === undefined || NEVER.has(role) || isOurs(field)) return []
    const standout = {
      field,
      role,
      value: top.value,
      errors: top.count,
      errorsWithField: profile.records,
      others: countOf(rest, top.value),
      othersWithField: rest.records,
    }
    return isTelling(standout, errors.records) ? [{ ...standout, weight: likelihood(standout) }] : []
  })
  const ranked = found.sort((one, other) => other.weight - one.weight)
  // Errors of one place in the code are of one route as a rule: that is shown last, and once.
  const operations = ranked.filter(({ role }) => role === 'operation').slice(0, 1)
  return [...ranked.filter(({ role }) => role !== 'operation'), ...operations].slice(0, MAX_STANDOUTS)
}

/** The service is the analysis's own, and releases are weighed with the deploys. */
function isOurs({ kind, name }: Field): boolean {
  return kind === 'core' && name !== 'host' && name !== 'logger'
}

function isTelling(standout: Omit<StandoutFound, 'weight'>, allErrors: number): boolean {
  const { errors, errorsWithField, othersWithField } = standout
  if (errors < LEAST_ERRORS || othersWithField < LEAST_OTHERS) return false
  if (errorsWithField < LEAST_WITH_FIELD * allErrors) return false
  return isOverRepresented(standout) && likelihood(standout) >= LEAST_LIKELIHOOD
}

export function isOverRepresented({
  errors,
  errorsWithField,
  others,
  othersWithField,
}: Omit<StandoutFound, 'weight' | 'role'>): boolean {
  const [share, usual] = [errors / errorsWithField, others / othersWithField]
  const least = share >= ALL_HAVE_IT ? LEAST_OF_ALL : LEAST_DIFFERENCE
  return share >= LEAST_SHARE && share - usual >= least
}

function likelihood({ errors, errorsWithField, others, othersWithField }: Omit<StandoutFound, 'weight'>): number {
  return likelihoodRatio({ count: errors, total: errorsWithField, baseCount: others, baseTotal: othersWithField })
}
