/** What people send, as the input of a verb. Unknown fields are refused, never ignored. */
import { isObject } from '@tidemark/wire/is-object'
import type { z } from 'zod'
import { AppError } from '../../errors.ts'
import { faultsOf, notValid } from '../request/parameters.ts'

export function parseBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.infer<Schema> {
  if (!isObject(body)) {
    throw new AppError(
      'invalid_request',
      `The body must be a JSON object with ${Object.keys(schema.shape).join(', ')}.`,
    )
  }
  const read = schema.strict().safeParse(body, { reportInput: true })
  if (read.success) return read.data as z.infer<Schema>
  throw notValid('The request is', faultsOf(read.error, schema))
}
