import { MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { isStorable } from './storable-text.ts'

export type NameProblem = 'empty' | 'too long' | 'not storable'

/**
 * Why a text cannot be the name of an environment. Records, deploys and the default of a project are matched by it to
 * the letter, so the rule is one: what one of them may not have, none could ever be matched by. Characters are UTF-16
 * units here, as in the filters of every question.
 */
export function environmentProblem(name: string): NameProblem | undefined {
  if (name === '') return 'empty'
  if (name.length > MAX_NAME_CHARACTERS) return 'too long'
  return isStorable(name) ? undefined : 'not storable'
}
