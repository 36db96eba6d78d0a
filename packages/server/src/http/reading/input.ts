/** Parameters of an address as the input of a verb. Unknown names and repeated values are refused, never ignored. */
import { z } from 'zod'
import { AppError, type FieldError } from '../../errors.ts'

const NUMBERS: Record<string, string> = {
  limit: 'must be a whole number between 1 and 500',
  before: 'must be a whole number between 0 and 100',
  after: 'must be a whole number between 0 and 100',
}
/** The rest is not named: an answer must not be a hundred times as long as the address. */
const MAX_FAULTS = 20
/** These may be given several times, or once with commas between. */
const LISTS = new Set(['groupBy', 'include'])

/** `extra`: what the path itself says. */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  parameters: unknown,
  extra: Record<string, unknown> = {},
): z.infer<Schema> {
  const known = Object.keys(schema.shape).filter((name) => !Object.hasOwn(extra, name))
  const fields: FieldError[] = []
  const values: Record<string, unknown> = { ...extra }
  for (const [name, value] of Object.entries(parameters as Record<string, string | string[]>)) {
    if (!known.includes(name)) fields.push({ path: name, message: `is not a parameter here: use ${known.join(', ')}` })
    else if (LISTS.has(name)) values[name] = [value].flat().flatMap((one) => one.split(','))
    else if (typeof value !== 'string') fields.push({ path: name, message: 'is given more than once: give it once' })
    else if (value.includes('\0')) fields.push({ path: name, message: 'contains a NUL character: remove it' })
    else values[name] = Object.hasOwn(NUMBERS, name) && /^\d{1,9}$/.test(value) ? Number(value) : value
  }
  const read = schema.safeParse(values)
  if (!read.success) fields.push(...read.error.issues.map(toFieldError))
  if (fields.length > 0 || !read.success) {
    const named = fields.slice(0, MAX_FAULTS)
    const said = named.map(({ path, message }) => `${path} ${message}`).join('; ')
    throw new AppError('invalid_request', `The parameters are not valid: ${said}.`, { fields: named })
  }
  return read.data
}

const nothing = z.object({})

/** For paths that take none. */
export function noParameters(parameters: unknown): void {
  parseInput(nothing, parameters)
}

function toFieldError(issue: z.core.$ZodIssue): FieldError {
  const path = String(issue.path[0] ?? '')
  if (Object.hasOwn(NUMBERS, path)) return { path, message: NUMBERS[path] ?? '' }
  if (issue.code === 'invalid_value') return { path, message: `must be one of ${issue.values.join(', ')}` }
  if (issue.code === 'too_big') {
    return { path, message: `is too ${issue.origin === 'array' ? 'many: at most' : 'long: at most'} ${issue.maximum}` }
  }
  return { path, message: `is not valid: ${issue.message}` }
}
