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
import { CLOSE_TIMEOUT_MS, createSink, type Sink } from './sink.ts'

/** What can be passed to another thread. The level is pino's own setting. */
export type PinoTransportOptions = Omit<
  TidemarkOptions,
  'level' | 'captureConsole' | 'captureErrors' | 'traceContext' | 'beforeSend' | 'onError' | 'onDrop'
>

/** pino sends its settings right after its start; a target of many gets none. */
const SETTINGS_TIMEOUT_MS = 500
/** A longer line is dropped and counted. Nobody writes one, but a stream that never breaks must not fill the memory. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024

export async function tidemarkPino(options: PinoTransportOptions = {}): Promise<Writable> {
  const sink = createSink(options, nodePlatform(), { watchesEnd: false })
  const keys = await readSettings(options)
  const lines = createLineReader((line) => {
    if (line !== null) writeLine(sink, line, keys)
    else if (sink.takes(false)) sink.tooLong(MAX_LINE_CHARACTERS)
  })
  return Object.assign(
    new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _, done) {
        lines.read(String(chunk))
        done()
      },
      final(done) {
        lines.end()
        sink.close().then(
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

/** Lines come in any pieces. Null stands for one that is too long: it is told once, and nothing of it is kept. */
function createLineReader(onLine: (line: string | null) => void): { read(text: string): void; end(): void } {
  let begun = ''
  let isTooLong = false
  return {
    read(text) {
      for (const [index, part] of text.split('\n').entries()) {
        if (index > 0) {
          // Here was a line break.
          if (!isTooLong) onLine(begun)
          begun = ''
          isTooLong = false
        }
        if (isTooLong) continue
        begun += part
        if (begun.length <= MAX_LINE_CHARACTERS) continue
        isTooLong = true
        begun = ''
        onLine(null)
      }
    },
    end() {
      if (!isTooLong) onLine(begun)
    },
  }
}

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
