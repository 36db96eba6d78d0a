/** What people send as the input of a verb. Unknown fields are refused, never ignored. */
import type { z } from 'zod'
import { AppError, type FieldError } from '../../errors.ts'

/** The rest is not named. */
const MAX_FAULTS = 20

export function parseBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.infer<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError(
      'invalid_request',
      `The body must be a JSON object with ${Object.keys(schema.shape).join(', ')}.`,
    )
  }
  const read = schema.strict().safeParse(body, { reportInput: true })
  if (read.success) return read.data as z.infer<Schema>
  const fields = read.error.issues.flatMap(toFieldErrors).slice(0, MAX_FAULTS)
  const said = fields.map(({ path, message }) => `${path} ${message}`).join('; ')
  throw new AppError('invalid_request', `The request is not valid: ${said}.`, { fields })
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.join('.')
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...issue.path, key].join('.'),
        message: 'is not a field here: leave it out',
      }))
    case 'invalid_value':
      return [{ path, message: `must be one of ${issue.values.join(', ')}` }]
    case 'invalid_type':
      return [{ path, message: issue.input === undefined ? `must be given` : `must be of type ${issue.expected}` }]
    case 'too_big':
      return [{ path, message: `is too long: at most ${issue.maximum}` }]
    case 'too_small':
      return [{ path, message: `is too short: at least ${issue.minimum}` }]
    default:
      return [{ path, message: `is not valid: ${issue.message}` }]
  }
}
