/**
 * Schemas as clients get them: plain JSON Schema objects without `$schema`, `$ref` and alternatives. What may be null is
 * written as a list of types, because several clients refuse `anyOf`.
 */
import { z } from 'zod'

export type JsonSchema = { [key: string]: unknown }
export type ObjectSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> }

export function inputSchemaOf(schema: z.ZodObject): ObjectSchema {
  return flat(z.toJSONSchema(schema, { io: 'input' })) as ObjectSchema
}

/** Open to further fields, so that a client that kept an older schema takes a newer answer. */
export function outputSchemaOf(schema: z.ZodObject): ObjectSchema {
  return open(flat(z.toJSONSchema(schema, { io: 'output' }))) as ObjectSchema
}

function flat(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema
  return mapSchema(rest, (one) => {
    const { anyOf, ...others } = one
    if (!Array.isArray(anyOf)) return one
    const [inner, none] = anyOf as [JsonSchema, JsonSchema | undefined]
    if (anyOf.length !== 2 || none?.type !== 'null') return one
    return { ...others, ...inner, type: [inner.type, 'null'] }
  })
}

function open(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (one) => {
    const { additionalProperties, propertyNames: _, ...rest } = one
    if (additionalProperties === undefined || additionalProperties === false) return rest
    return { ...rest, additionalProperties }
  })
}

/** Innermost first. Only schemas are visited, so a property may be called anything. */
function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const next: JsonSchema = { ...schema }
  const nested = (value: unknown) => mapSchema(value as JsonSchema, change)
  if (isObject(next.properties)) {
    next.properties = Object.fromEntries(Object.entries(next.properties).map(([name, one]) => [name, nested(one)]))
  }
  for (const name of ['items', 'additionalProperties']) if (isObject(next[name])) next[name] = nested(next[name])
  if (Array.isArray(next.anyOf)) next.anyOf = next.anyOf.map(nested)
  return change(next)
}

function isObject(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
