/** `@tidemark/sdk` in browsers. */
import { browserPlatform } from './browser/platform.ts'
import { createClient, type Tidemark } from './client.ts'
import type { TidemarkOptions } from './options.ts'

export type { Tidemark } from './client.ts'
export type { Context, ContextInput } from './context.ts'
export type { FlushResult } from './delivery/delivery.ts'
export type { Drop, DropReason, TidemarkProblem } from './delivery/problem.ts'
export type { Logger, LogMethod } from './logger.ts'
export type { ConsoleMethod, TidemarkOptions } from './options.ts'
export type { ErrorDetail } from './record/describe-error.ts'
export type { Level } from './record/level.ts'
export type { Attributes, LogRecord } from './record/record.ts'
export type { Stats } from './sink.ts'
export { formatTraceparent, parseTraceparent, type TraceContext } from './trace-context.ts'

export function createTidemark(options: TidemarkOptions = {}): Tidemark {
  return createClient(options ?? {}, browserPlatform())
}
