/** Schemas as clients get them: plain JSON Schema objects without `$schema`, `$ref` and alternatives. */
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
    const { additionalProperties, propertyNames: _, ...rest } = one
    if (additionalProperties === undefined || additionalProperties === false) return rest
    // Values of any kind: saying nothing means the same, and an empty schema troubles some clients.
    if (isObject(additionalProperties) && Object.keys(additionalProperties).length === 0) return rest
    return { ...rest, additionalProperties }
  }) as ObjectSchema
}
