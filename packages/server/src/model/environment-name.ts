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
