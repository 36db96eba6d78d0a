/** Parts that every operation of the OpenAPI document is made of. */
import { type JsonSchema, jsonSchemaOf } from '@tidemark/wire/json-schema'
import type { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from '../../errors.ts'

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export function jsonContent(name: string) {
  return { content: { 'application/json': { schema: schemaRef(name) } } }
}

/** Several codes can share a status, so the description lists them. */
export function errors(...codes: ErrorCode[]): Record<string, { description: string; content: object }> {
  const statuses = new Set(codes.map((code) => ERROR_CODES[code].status))
  return Object.fromEntries(
    [...statuses].map((status) => {
      const ofStatus = codes.filter((code) => ERROR_CODES[code].status === status)
      return [status, { description: ofStatus.map((code) => `\`${code}\``).join(', '), ...jsonContent('Error') }]
    }),
  )
}

/** `id` is in the path, everything else in the query. */
export function parametersOf(input: z.ZodRawShape): object[] {
  return Object.entries(input).map(([name, schema]): JsonSchema => {
    const isPath = name === 'id'
    return { name, in: isPath ? 'path' : 'query', required: isPath, schema: jsonSchemaOf(schema as z.ZodType, 'input') }
  })
}

/** `path` names what the path holds. */
export type AboutPeople<Name extends string> = {
  description: string
  path: string[]
  body?: Name
  answer: [number, Name?]
}

/** What only people do, signed in. */
export function peopleOperation<Name extends string>(
  summary: string,
  { description, path, body, answer: [status, schema] }: AboutPeople<Name>,
) {
  return {
    summary,
    description: `${description} With the session of a person, and the header \`X-Requested-With: tidemark\` for changes.`,
    security: [{ session: [] }],
    parameters: path.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(body && { requestBody: { required: true, ...jsonContent(body) } }),
    responses: {
      [status]: { description: 'Done.', ...(schema && jsonContent(schema)) },
      ...errors('invalid_request', 'unauthorized', 'forbidden', 'not_found', 'conflict'),
    },
  }
}
