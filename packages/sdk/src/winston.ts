/** `@tidemark/sdk/winston`: a transport for winston 3. It never makes the application wait and never throws. */
import Transport from 'winston-transport'
import { levelOf, type WinstonInfo, winstonRecord } from './adapters/winston-record.ts'
import type { FlushResult } from './delivery/delivery.ts'
import { nodePlatform } from './node/platform.ts'
import type { TidemarkOptions } from './options.ts'
import { isErrorLevel } from './record/level.ts'
import { createSink, type Sink } from './sink.ts'

export type TidemarkTransportOptions = Omit<TidemarkOptions, 'level' | 'captureConsole' | 'captureErrors'> &
  Transport.TransportStreamOptions

export class TidemarkTransport extends Transport {
  readonly #sink: Sink
  #closing: Promise<FlushResult> | undefined

  constructor(options: TidemarkTransportOptions = {}) {
    const { format, level, silent, handleExceptions, handleRejections, ...own } = options
    super(definedOnly({ format, level, silent, handleExceptions, handleRejections }))
    this.#sink = createSink(own, nodePlatform())
  }

  override log(info: WinstonInfo, next: () => void): void {
    setImmediate(() => this.emit('logged', info))
    try {
      const isError = isErrorLevel(levelOf(info))
      if (this.#sink.takes(isError)) this.#sink.write(winstonRecord(info, this.#sink.timeUs), isError)
    } catch (cause) {
      this.#sink.unreadable(cause)
    }
    next()
  }

  flush({ timeoutMs }: { timeoutMs?: number } = {}): Promise<FlushResult> {
    return this.#sink.flush(timeoutMs)
  }

  /** winston calls it when the transport is removed or the logger closed. */
  override close(): void {
    void this.#end()
  }

  /** `logger.end()` finishes when everything is sent or given up. */
  override _final(done: () => void): void {
    this.#end().then(
      () => done(),
      () => done(),
    )
  }

  #end(): Promise<FlushResult> {
    this.#closing ??= this.#sink.close()
    return this.#closing
  }
}

function definedOnly(options: Record<string, unknown>): Transport.TransportStreamOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
