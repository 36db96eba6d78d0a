import { MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { isStorable } from './storable-text.ts'

export type NameProblem = 'empty' | 'too long' | 'not storable'

/**
 * Why a text cannot be the name of an environment. Records, deploys and the default of a project must match it to the
 * letter, so one rule holds for all three: a name that one of them could not have would never match. Characters are
 * UTF-16 units here, as in the filters of every question.
 */
export function environmentProblem(name: string): NameProblem | undefined {
  if (name === '') return 'empty'
  if (name.length > MAX_NAME_CHARACTERS) return 'too long'
  return isStorable(name) ? undefined : 'not storable'
}

/** Short forms that are not the beginning of the long one. */
const SHORT_FORMS: Record<string, string> = { live: 'production', prd: 'production', stage: 'staging', stg: 'staging' }

/** `prod` and `production`, `Staging` and ` staging`, `live`: names that a person would read as one. */
export function isAlike(one: string, other: string): boolean {
  const [a, b] = [one, other].map(bare).map((name) => SHORT_FORMS[name] ?? name) as [string, string]
  if (a === '' || b === '') return false
  return a === b || (Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a)))
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
