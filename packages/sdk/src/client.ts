/** A logger with all that belongs to it: context, capture, and the sending of what was logged. */
import { captureConsole } from './capture-console.ts'
import { type Context, type ContextInput, joinContexts } from './context.ts'
import type { FlushResult } from './delivery/delivery.ts'
import { createLogger, type Logger } from './logger.ts'
import type { TidemarkOptions } from './options.ts'
import type { Platform } from './platform.ts'
import { createSink, type Stats } from './sink.ts'
import { formatTraceparent, parseTraceparent } from './trace-context.ts'

export type Tidemark = Logger & {
  /**
   * Every record that `work` logs, even later in what it started, carries the context. `traceparent` takes the header
   * of a request. In browsers the context ends when `work` returns.
   */
  withContext<Result>(context: ContextInput, work: () => Result): Result
  context(): Context
  /** The `traceparent` header for requests to other services; undefined outside a trace. */
  traceparent(): string | undefined
  /** Resolves when everything logged so far is acknowledged or lost, at the latest after `timeoutMs` (30 s). */
  flush(options?: { timeoutMs?: number }): Promise<FlushResult>
  /** Flushes (5 s), stops capturing and takes no more records. */
  close(options?: { timeoutMs?: number }): Promise<FlushResult>
  stats(): Stats
}

export function createClient(options: TidemarkOptions, platform: Platform): Tidemark {
  const { contexts } = platform
  const sink = createSink(options, platform)
  const logger = createLogger(sink)
  const stops: (() => void)[] = []
  if (options.captureConsole) stops.push(captureConsole(options.captureConsole, logger, platform.format))
  if (options.captureErrors) {
    stops.push(platform.watchErrors((thrown, mechanism) => logger.fatal(thrown, { mechanism })))
  }
  return {
    ...logger,
    withContext: (context, work) => contexts.run(joinContexts(contexts.get(), context, platform), work),
    context: () => contexts.get() ?? {},
    traceparent() {
      const { traceId, spanId } = contexts.get() ?? {}
      const header = formatTraceparent({ traceId: String(traceId), spanId: String(spanId), isSampled: true })
      // Ids of another kind do not make a valid header.
      return parseTraceparent(header) === null ? undefined : header
    },
    flush: ({ timeoutMs } = {}) => sink.flush(timeoutMs),
    close({ timeoutMs } = {}) {
      for (const stop of stops.splice(0)) stop()
      return sink.close(timeoutMs)
    },
    stats: () => sink.stats(),
  }
}
