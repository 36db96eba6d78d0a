import type { Drop, TidemarkProblem } from './delivery/problem.ts'
import type { Level } from './record/level.ts'
import type { Attributes, LogRecord } from './record/record.ts'

export type ConsoleMethod = 'trace' | 'debug' | 'log' | 'info' | 'warn' | 'error'

export type TidemarkOptions = {
  /** Names the project and allows to send. `TIDEMARK_INGEST_KEY` */
  ingestKey?: string | undefined
  /** Address of the service. `TIDEMARK_URL`, then http://localhost:4700; in browsers it must be given. */
  url?: string | undefined
  /** Must be spelled as in deploys. `TIDEMARK_ENV`, then the project's default. */
  environment?: string | undefined
  /** `TIDEMARK_SERVICE`, then `OTEL_SERVICE_NAME`. */
  service?: string | undefined
  /** The revision that runs. `TIDEMARK_RELEASE`, then what the build or hosting service says (`GITHUB_SHA` …). */
  release?: string | undefined
  /** The machine's name by itself; none in browsers. */
  host?: string | undefined
  /** Records below it are not sent. Everything is by itself. */
  level?: Level | undefined
  /** On every record. */
  attributes?: Attributes | undefined
  /** Also sends what the console prints; it is still printed. Default: no. */
  captureConsole?: boolean | readonly ConsoleMethod[] | undefined
  /** Also sends errors that nobody caught; what happens to them stays the same. Default: no. */
  captureErrors?: boolean | undefined
  /** The active trace, for instance of OpenTelemetry: `() => trace.getActiveSpan()?.spanContext()`. */
  traceContext?: (() => { traceId: string; spanId?: string } | null | undefined) | undefined
  /** Sees every record before it is encoded. Null leaves it out; a record whose call throws is left out and counted. */
  beforeSend?: ((record: LogRecord) => LogRecord | null) | undefined
  /** Hears of the SDK's own trouble. By itself it is one line on stderr, or in the browser's console. */
  onError?: ((problem: TidemarkProblem) => void) | undefined
  /** Hears of lost records, in sums. */
  onDrop?: ((drop: Drop) => void) | undefined
} & Partial<DeliveryOptions>

export type DeliveryOptions = {
  /** A batch is sent when it has this many bytes … */
  maxBatchBytes: number
  /** … or records … */
  maxBatchRecords: number
  /** … or its first record is this old. */
  flushIntervalMs: number
  /** Records that wait never take more; those that find no room are dropped and counted. */
  maxBufferBytes: number
  requestTimeoutMs: number
  /** How long the end of the program may be held up to send what waits. */
  exitTimeoutMs: number
}

/** Default, smallest and largest value of each number. */
export const NUMBERS: Readonly<Record<keyof DeliveryOptions, readonly [number, number, number]>> = {
  // The service takes 20 MiB and is suspicious of what inflates past a megabyte.
  maxBatchBytes: [512 * 1024, 1, 8 * 1024 * 1024],
  maxBatchRecords: [5_000, 1, 50_000],
  flushIntervalMs: [1_000, 10, 3_600_000],
  maxBufferBytes: [16 * 1024 * 1024, 1_024, 4 * 1024 * 1024 * 1024],
  requestTimeoutMs: [15_000, 100, 600_000],
  exitTimeoutMs: [2_000, 0, 60_000],
}
