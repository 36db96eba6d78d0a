import { AppError } from '../../errors.ts'

const MAX_NAME_CHARACTERS = 100
/** Control characters, invisible formatting (it can turn text around), and halves of surrogate pairs. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u

export function checkedName(input: string): string {
  const name = input.normalize('NFC').trim()
  const problem = nameProblem(name)
  if (problem !== undefined) {
    throw new AppError('invalid_request', `The project's name ${problem}.`, {
      fields: [{ path: 'name', message: problem }],
    })
  }
  return name
}

/** Two names with the same key would look like one project to a person. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

function nameProblem(name: string): string | undefined {
  const length = [...name].length
  if (length < 1 || length > MAX_NAME_CHARACTERS) return `must have 1 to ${MAX_NAME_CHARACTERS} characters`
  if (FORBIDDEN.test(name)) return 'must not contain control or invisible characters'
  if (nameKey(name).startsWith('prj_')) return 'must not begin with "prj_", as project ids do'
  return undefined
}
