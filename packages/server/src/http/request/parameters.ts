/** Query parameters as the input of a verb. Unknown names and repeated values are refused, never ignored. */
import { withCommas } from '@tidemark/wire/text/counted'
import { z } from 'zod'
import { type AppError, type FieldError, invalidFields } from '../../errors.ts'
import { isStorable, NOT_STORABLE } from '../../model/storable-text.ts'

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
    else if (!isStorable(value)) fields.push({ path: name, message: `${NOT_STORABLE}: remove it` })
    else values[name] = numberIn(schema, name) && /^\d{1,9}$/.test(value) ? Number(value) : value
  }
  const read = schema.safeParse(values, { reportInput: true })
  if (!read.success) {
    // A value of a list is given under the name of the list.
    fields.push(...faultsOf(read.error, schema).map((one) => ({ ...one, path: one.path.split('.')[0] ?? '' })))
  }
  if (fields.length > 0 || !read.success) throw notValid('The parameters are', fields)
  return read.data
}

const nothing = z.object({})

/** For paths that take none. */
export function noParameters(parameters: unknown): void {
  parseInput(nothing, parameters)
}

/** What zod found, as sentences for the sender. `path` and `message` together are one. */
export function faultsOf({ issues }: z.ZodError, schema: z.ZodObject): FieldError[] {
  return issues.flatMap((issue) => {
    const path = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      const message = 'is not a field here: leave it out'
      return issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message }))
    }
    return [{ path, message: sentenceOf(issue, numberIn(schema, path)) }]
  })
}

export function notValid(what: string, faults: FieldError[]): AppError {
  return invalidFields(`${what} not valid:`, faults.slice(0, MAX_FAULTS))
}

function sentenceOf(issue: z.core.$ZodIssue, number: z.ZodNumber | undefined): string {
  if (number !== undefined && number.maxValue !== null && number.maxValue < Number.MAX_SAFE_INTEGER) {
    return `must be a whole number from ${number.minValue} to ${withCommas(number.maxValue)}`
  }
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`
    case 'invalid_type':
      return issue.input === undefined ? `must be given` : `must be of type ${issue.expected}`
    case 'too_big':
      return tooLarge(issue.origin, withCommas(Number(issue.maximum)))
    case 'too_small':
      return `is too short: at least ${issue.minimum}`
    default:
      return `is not valid: ${issue.message}`
  }
}

function tooLarge(origin: string, most: string): string {
  if (origin === 'string') return `is too long: at most ${most} characters`
  return origin === 'array' ? `has too many entries: at most ${most}` : `is too large: at most ${most}`
}

/** The number that a field takes, when it takes one. */
function numberIn(schema: z.ZodObject, name: string): z.ZodNumber | undefined {
  let field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined
  while (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable) {
    field = field.unwrap()
  }
  return field instanceof z.ZodNumber ? field : undefined
}
