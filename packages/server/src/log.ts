import { type Logger, type LoggerOptions, pino } from 'pino'

export type Log = Logger

/**
 * Our own log: JSON lines on standard error (standard output is for what a person asked for). Redaction is a second
 * line of defence (the first is not to log secrets): these fields are never written, whatever is logged by accident.
 */
export function createLog(level: string): Log {
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
        'secret',
        '*.secret',
        'cookie',
        '*.cookie',
      ],
      censor: '[redacted]',
    },
  } satisfies LoggerOptions
  // Synchronous: the last lines before a crash are the ones that matter, and the volume is small.
  return pino(settings, pino.destination({ fd: 2, sync: true }))
}
