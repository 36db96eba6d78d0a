import type { Drop, TidemarkProblem } from './delivery/problem.ts'
import type { Level } from './record/level.ts'
import type { Attributes, LogRecord } from './record/record.ts'

export type ConsoleMethod = 'trace' | 'debug' | 'log' | 'info' | 'warn' | 'error'

export type TidemarkOptions = {
  /** Names the project and allows sending. `TIDEMARK_INGEST_KEY` */
  ingestKey?: string | undefined
  /** Address of the service. `TIDEMARK_URL`, then http://localhost:4700; in browsers it must be given. */
  url?: string | undefined
  /** Must be spelled as in deploys. `TIDEMARK_ENV`, then the project's default. */
  environment?: string | undefined
  /** `TIDEMARK_SERVICE`, then `OTEL_SERVICE_NAME`. */
  service?: string | undefined
  /** The revision that runs. `TIDEMARK_RELEASE`, then what the build or hosting service says (`GITHUB_SHA` …). */
  release?: string | undefined
  /** Default: the machine's name; none in browsers. */
  host?: string | undefined
  /** Records below it are not sent. Default: all are sent. */
  level?: Level | undefined
  /** Added to every record. */
  attributes?: Attributes | undefined
  /** Also sends what the console prints; it is still printed. Default: no. */
  captureConsole?: boolean | readonly ConsoleMethod[] | undefined
  /** Also sends uncaught errors; what else happens to them stays the same. Default: no. */
  captureErrors?: boolean | undefined
  /** The active trace, for instance of OpenTelemetry: `() => trace.getActiveSpan()?.spanContext()`. */
  traceContext?: (() => { traceId: string; spanId?: string } | null | undefined) | undefined
  /** Sees every record before it is encoded. Null drops it; a record whose call throws is dropped and counted. */
  beforeSend?: ((record: LogRecord) => LogRecord | null) | undefined
  /** Called on the SDK's own trouble. Default: one line on stderr, or in the browser's console. */
  onError?: ((problem: TidemarkProblem) => void) | undefined
  /** Called on lost records, with sums. */
  onDrop?: ((drop: Drop) => void) | undefined
} & Partial<DeliveryOptions>

export type DeliveryOptions = {
  /** A batch is sent before it has more bytes, unless one record alone has more … */
  maxBatchBytes: number
  /** … or records … */
  maxBatchRecords: number
  /** … or its first record is this old. */
  flushIntervalMs: number
  /** Waiting records never take more; those that find no room are dropped and counted. */
  maxBufferBytes: number
  requestTimeoutMs: number
  /** How long the end of the program may be held up to send what waits. */
  exitTimeoutMs: number
}

/** Default, smallest and largest value of each number. */
export const NUMBERS: Readonly<Record<keyof DeliveryOptions, readonly [number, number, number]>> = {
  // The service accepts 20 MiB and is suspicious of what inflates past a megabyte.
  maxBatchBytes: [512 * 1024, 1, 8 * 1024 * 1024],
  maxBatchRecords: [5_000, 1, 50_000],
  flushIntervalMs: [1_000, 10, 3_600_000],
  maxBufferBytes: [16 * 1024 * 1024, 1_024, 4 * 1024 * 1024 * 1024],
  requestTimeoutMs: [15_000, 100, 600_000],
  exitTimeoutMs: [2_000, 0, 60_000],
}
