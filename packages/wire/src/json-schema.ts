/**
 * Schemas as JSON Schema for clients and pages: without `$schema`, and with what may be null as a list of types,
 * because several clients refuse `anyOf` and pages draw it badly.
 */
import { z } from 'zod'
import { isObject } from './is-object.ts'

export type JsonSchema = { [key: string]: unknown }

export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return plainSchema(z.toJSONSchema(schema, { io }))
}

export function plainSchema({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema {
  return mapSchema(schema, (one) => {
    const { anyOf, ...others } = one
    if (!Array.isArray(anyOf)) return one
    const [inner, none] = anyOf as [JsonSchema, JsonSchema | undefined]
    if (anyOf.length !== 2 || none?.type !== 'null' || inner.type === undefined) return one
    // A list of values allows nothing else, whatever the types say.
    const values = Array.isArray(inner.enum) ? { enum: [...inner.enum, null] } : {}
    return { ...others, ...inner, ...values, type: [inner.type, 'null'] }
  })
}

/** Innermost first. Only schemas are visited, so a property may be called anything. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const next: JsonSchema = { ...schema }
  const nested = (value: unknown) => mapSchema(value as JsonSchema, change)
  if (isObject(next.properties)) {
    next.properties = Object.fromEntries(Object.entries(next.properties).map(([name, one]) => [name, nested(one)]))
  }
  for (const name of ['items', 'additionalProperties']) if (isObject(next[name])) next[name] = nested(next[name])
  if (Array.isArray(next.anyOf)) next.anyOf = next.anyOf.map(nested)
  return change(next)
}
