import { MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { environmentProblem } from '../../model/environment-name.ts'

/** Of an environment or a service. A person writes it here, so a control character in it is a slip: stricter than what senders may name. */
export function writtenNameProblem(name: string): string | undefined {
  const isGood = environmentProblem(name) === undefined && !/\p{Cc}/u.test(name)
  return isGood ? undefined : `must have 1 to ${MAX_NAME_CHARACTERS} printable characters`
}
