import { z } from 'zod'
import { AppError } from '../../errors.ts'

const jsonObject = z.record(z.string(), z.unknown())

export function parseJsonObject(text: string): Record<string, unknown> {
  return parseColumn(jsonObject, text)
}

/** A column that holds JSON of this shape. */
export function parseColumn<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> {
  try {
    return shape.parse(JSON.parse(text))
  } catch (cause) {
    throw new AppError('internal', 'The control database holds a damaged value. Restore it from a backup.', { cause })
  }
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms)
}
