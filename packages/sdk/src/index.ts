/** `@tidemark/sdk` in Node. */
import { createClient, type Tidemark } from './client.ts'
import { type Context, type ContextInput, joinContexts } from './context.ts'
import { nodeContexts } from './node/contexts.ts'
import { nodePlatform, nodeRandomBytes } from './node/platform.ts'
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
  return createClient(options ?? {}, nodePlatform())
}

/** The same context as `withContext` of every client, for programs that log through pino or winston only. */
export function withContext<Result>(context: ContextInput, work: () => Result): Result {
  const contexts = nodeContexts()
  return contexts.run(joinContexts(contexts.get(), context, { randomBytes: nodeRandomBytes }), work)
}

export function currentContext(): Context {
  return nodeContexts().get() ?? {}
}
