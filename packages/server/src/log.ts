import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'

export type Log = Logger

/**
 * Our own log: JSON lines on standard error (standard output is for what a person asked for). Redaction is a second
 * line of defence (the first is not to log secrets): these fields are never written, whatever is logged by accident.
 */
export function createLog(level: string, destination: DestinationStream = standardError()): Log {
  const settings = {
    level,
    base: { name: 'tidemark' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [
        'projectApiKey',
        '*.projectApiKey',
        'authorization',
        '*.authorization',
        'headers.authorization',
        'req.headers.authorization',
        'headers["x-api-key"]',
        'req.headers["x-api-key"]',
        'headers["dd-api-key"]',
        'req.headers["dd-api-key"]',
        'secret',
        '*.secret',
        'cookie',
        '*.cookie',
      ],
      censor: '[redacted]',
    },
  } satisfies LoggerOptions
  return pino(settings, destination)
}

/** Synchronous: the last lines before a crash are the ones that matter, and the volume is small. */
function standardError(): DestinationStream {
  return pino.destination({ fd: 2, sync: true })
}
