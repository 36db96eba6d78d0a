import { MAX_GIVEN_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { isSeenWhole } from '@tidemark/wire/text/stranger-text'
import { AppError } from '../errors.ts'

/** A name that somebody gave, to a project, to a key or to themselves, in the form in which it is kept. */
export function checkedGivenName(
  input: string,
  subject: string,
  {
    maxCharacters = MAX_GIVEN_NAME_CHARACTERS,
    ownProblem,
  }: { maxCharacters?: number; ownProblem?: (name: string) => string | undefined } = {},
): string {
  const name = input.normalize('NFC').trim()
  const problem = problemOf(name, maxCharacters) ?? ownProblem?.(name)
  if (problem === undefined) return name
  throw new AppError('invalid_request', `${subject} ${problem}.`, { fields: [{ path: 'name', message: problem }] })
}

/** Two names with the same key would look like one to a person. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

function problemOf(name: string, maxCharacters: number): string | undefined {
  if (name === '') return 'must not be empty'
  if ([...name].length > maxCharacters) return `must have at most ${maxCharacters} characters`
  return isSeenWhole(name) ? undefined : 'must not contain control or invisible characters'
}
