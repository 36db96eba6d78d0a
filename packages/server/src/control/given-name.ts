import { MAX_GIVEN_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { isSeenWhole } from '@tidemark/wire/text/stranger-text'
import { AppError } from '../errors.ts'

/** A name that somebody gave, to a project, to a key or to themselves, in the form in which it is kept. */
export function checkedGivenName(
  input: string,
  subject: string,
  ownProblem: (name: string) => string | undefined = () => undefined,
): string {
  const name = input.normalize('NFC').trim()
  const problem = problemOf(name) ?? ownProblem(name)
  if (problem === undefined) return name
  throw new AppError('invalid_request', `${subject} ${problem}.`, { fields: [{ path: 'name', message: problem }] })
}

/** Two names with the same key would look like one to a person. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

function problemOf(name: string): string | undefined {
  if (name === '') return 'must not be empty'
  if ([...name].length > MAX_GIVEN_NAME_CHARACTERS) return `must have at most ${MAX_GIVEN_NAME_CHARACTERS} characters`
  return isSeenWhole(name) ? undefined : 'must not contain control or invisible characters'
}
