/**
 * `@tidemark/sdk/pino`: a transport that runs in pino's worker thread. It never makes the application wait: when the service
 * is away and the buffer is full, records are dropped and counted. pino ends it at the end of the process and waits until
 * it has closed.
 */
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { PINO_KEYS, type PinoKeys, pinoRecord } from './adapters/pino-record.ts'
import { nodePlatform } from './node/platform.ts'
import type { TidemarkOptions } from './options.ts'
import { isErrorLevel } from './record/level.ts'
import type { Attributes } from './record/record.ts'
import { createSink, type Sink } from './sink.ts'

/** What can be passed to another thread. The level is pino's own setting. */
export type PinoTransportOptions = Omit<
  TidemarkOptions,
  'level' | 'captureConsole' | 'captureErrors' | 'traceContext' | 'beforeSend' | 'onError' | 'onDrop'
>

/** pino gives up on a transport after ten seconds. */
const CLOSE_TIMEOUT_MS = 5_000
/** pino sends its settings right after its start; a target of many gets none. */
const SETTINGS_TIMEOUT_MS = 500
/** A longer line is dropped. Nobody writes one, but a stream that never breaks must not fill the memory. */
const MAX_LINE = 8 * 1024 * 1024

export async function tidemarkPino(options: PinoTransportOptions = {}): Promise<Writable> {
  const sink = createSink(options, nodePlatform(), { watchesEnd: false })
  const keys = await readSettings(options)
  let begun = ''
  return Object.assign(
    new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _, done) {
        const lines = (begun + String(chunk)).split('\n')
        begun = lines.pop() ?? ''
        if (begun.length > MAX_LINE) begun = ''
        for (const line of lines) writeLine(sink, line, keys)
        done()
      },
      final(done) {
        writeLine(sink, begun, keys)
        sink.close(CLOSE_TIMEOUT_MS).then(
          () => done(),
          () => done(),
        )
      },
    }),
    // Used by pino's own flush.
    { flush: () => sink.flush(CLOSE_TIMEOUT_MS) },
  )
}

// biome-ignore lint/style/noDefaultExport: pino looks for it
export default tidemarkPino

function writeLine(sink: Sink, line: string, keys: PinoKeys): void {
  if (line.trim() === '') return
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // Not pino's, but somebody wrote it.
    value = { level: 'info', [keys.messageKey]: line }
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const record = pinoRecord(isObject ? (value as Attributes) : { [keys.messageKey]: line }, keys, sink.timeUs)
  const isError = isErrorLevel(record.level)
  if (sink.takes(isError)) sink.write(record, isError)
}

/** The names that pino is configured to use for message and error. */
async function readSettings(options: object): Promise<PinoKeys> {
  const port = parentPort
  if (port === null || !('pinoWillSendConfig' in options)) return PINO_KEYS
  const given = new Promise<PinoKeys>((resolve) => {
    const onMessage = (message: { code?: string; config?: Partial<PinoKeys> } | undefined): void => {
      if (message?.code !== 'PINO_CONFIG') return
      port.off('message', onMessage)
      resolve({
        messageKey: message.config?.messageKey ?? PINO_KEYS.messageKey,
        errorKey: message.config?.errorKey ?? PINO_KEYS.errorKey,
      })
    }
    port.on('message', onMessage)
  })
  return Promise.race([given, sleep(SETTINGS_TIMEOUT_MS, PINO_KEYS)])
}
