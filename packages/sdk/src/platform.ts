/** What differs between Node and a browser. The rest of the SDK knows neither. */
import type { Context } from './context.ts'
import type { Answer } from './delivery/answer.ts'
import type { Batch } from './delivery/batch.ts'
import type { DeliveryOptions } from './options.ts'

export type PostRequest = {
  url: string
  headers: Record<string, string>
  body: Uint8Array
  timeoutMs: number
}

export type Platform = {
  env(name: string): string | undefined
  /** The default address of the service; undefined where it must be given. */
  readonly defaultUrl: string | undefined
  readonly host: string | undefined
  /** Where they differ from what suits a server. */
  readonly numbers: Partial<DeliveryOptions>
  /** Rejects only when there is no answer. Must not keep the process alive by itself. */
  post(request: PostRequest): Promise<Answer>
  /** Undefined where there is none. */
  readonly gzip: ((bytes: Uint8Array) => Promise<Uint8Array>) | undefined
  /** Milliseconds since 1970. */
  now(): number
  /** A timer that keeps nothing alive; the returned function cancels it. */
  after(delayMs: number, run: () => void): () => void
  /** Keeps the process alive until the returned function is called. */
  hold(): () => void
  randomBytes(count: number): Uint8Array
  /** Where nobody captures it. */
  warn(text: string): void
  readonly contexts: ContextStore
  /** What the console would print. */
  format(values: readonly unknown[]): string
  /** Uncaught errors, seen without changing what happens to them. The returned function stops it. */
  watchErrors(seen: (thrown: unknown, mechanism: string) => void): () => void
  /** Sends what waits before the program ends. The returned function stops it. */
  watchEnd(end: EndOfProgram): () => void
}

export type ContextStore = {
  get(): Context | undefined
  run<Result>(context: Context, work: () => Result): Result
}

/** What the end of a program needs from a sender. */
export type EndOfProgram = {
  readonly timeoutMs: number
  pendingRecords(): number
  flush(timeoutMs: number): Promise<{ pending: number }>
  /** All that waits, what is being sent included, with the request that each batch needs. */
  takeOut(): { batches: readonly Batch[]; request(batch: Batch): Omit<PostRequest, 'timeoutMs'> }
  /** What was answered when a batch was sent that way. Returns what must be sent instead, if anything. */
  answered(batch: Batch, answer: Answer): readonly Batch[]
  /** What still waits will never be sent. */
  giveUp(): void
}
