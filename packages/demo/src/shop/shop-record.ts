import type { ServiceName } from './services.ts'

/** A record as `POST /v1/logs` takes it. */
export type ShopRecord = {
  /** RFC 3339 in UTC with milliseconds, so that texts sort as times do. */
  timestamp: string
  level: 'debug' | 'info' | 'warn' | 'error' | 'fatal'
  message: string
  service: ServiceName
  host: string
  environment: string
  release: string
  logger: string
  traceId: string
  spanId: string
  error?: { type: string; message: string; stack: string }
  attributes: Record<string, unknown>
}
