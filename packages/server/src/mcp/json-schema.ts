/**
 * Schemas as clients get them: plain JSON Schema objects without `$schema` and `$ref`. What a tool takes has no alternatives,
 * because clients translate it for models in dialects of their own; what it answers has one, for values that may be null:
 * a list of types says the same, but is more often refused, and a field that is left out would say something else.
 */
import { isObject } from '@tidemark/wire/is-object'
import { type JsonSchema, jsonSchemaOf, mapSchema } from '@tidemark/wire/json-schema'
import type { z } from 'zod'

export type ObjectSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> }

export function inputSchemaOf(schema: z.ZodObject): ObjectSchema {
  return jsonSchemaOf(schema, 'input') as ObjectSchema
}

/** Open to further fields, so that a client that kept an older schema accepts a newer answer. */
export function outputSchemaOf(schema: z.ZodObject): ObjectSchema {
  return mapSchema(jsonSchemaOf(schema, 'output'), (one) => {
    const { additionalProperties, propertyNames: _, ...given } = one
    const rest = orNull(given)
    if (additionalProperties === undefined || additionalProperties === false) return rest
    // Values of any kind: saying nothing means the same, and an empty schema troubles some clients.
    if (isObject(additionalProperties) && Object.keys(additionalProperties).length === 0) return rest
    return { ...rest, additionalProperties }
  }) as ObjectSchema
}

/** `{ type: ['string', 'null'] }` as two alternatives; what is said about both stays beside them. */
function orNull({ description, ...schema }: JsonSchema): JsonSchema {
  const said = description === undefined ? {} : { description }
  if (!Array.isArray(schema.type)) return { ...schema, ...said }
  const { type, enum: values, ...rest } = schema
  const some = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}
  return { ...said, anyOf: [{ ...rest, ...some, type: type[0] }, { type: 'null' }] }
}
