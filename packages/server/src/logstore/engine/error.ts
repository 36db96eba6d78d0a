/** An error of the engine, or one we raise in its place under the number ClickHouse uses for it. */
export class EngineError extends Error {
  readonly code: number

  constructor(code: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'EngineError'
    this.code = code
  }
}

export const ENGINE_CODE = {
  unknown: 1001,
  notImplemented: 48,
  lockHeld: 76,
  tooManyQueries: 202,
  badArguments: 36,
  missingParameter: 456,
} as const

const CODE_IN_TEXT = /\bCode: (\d+)\b/

/** The binding gives the number as a field for some calls and inside the text for others. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const message = error instanceof Error ? error.message : String(error)
  const field = (error as { clickhouseCode?: unknown } | null)?.clickhouseCode
  const code = typeof field === 'number' ? field : Number(CODE_IN_TEXT.exec(message)?.[1] ?? ENGINE_CODE.unknown)
  return new EngineError(code, message, error)
}
