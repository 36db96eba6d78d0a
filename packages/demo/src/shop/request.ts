/** One request of one customer on its way through the services: what all its records share. */
import type { Random } from './random.ts'
import type { Commit } from './repository/repository.ts'
import { HOSTS, LANGUAGES, LOGGERS, type ServiceName } from './services.ts'
import type { ShopRecord } from './shop-record.ts'
import { stackText, type Trace } from './stack-text.ts'
import { codeAt, type Ground } from './world.ts'

export type Request = {
  environment: string
  code: Commit
  traceId: string
  region: string
  userId: string
  customerId: string
  random: Random
}

type Line = {
  timeMs: number
  level: ShopRecord['level']
  service: ServiceName
  message: string
  logger?: string
  attributes?: Record<string, unknown>
  http?: { method: string; route: string; status: number }
  duration?: number
  trace?: Trace
}

const REGIONS = ['eu-1', 'eu-1', 'eu-1', 'us-1', 'ap-1'] as const
const CUSTOMERS = 400

export function newRequest(world: Ground, random: Random, timeMs: number, environment = 'production'): Request {
  const customer = 4_000 + random.below(CUSTOMERS)
  return {
    environment,
    code: codeAt(world, environment, timeMs),
    traceId: random.hex(32),
    region: environment === 'staging' ? 'eu-1' : random.pick(REGIONS),
    userId: `u_${customer}${random.below(3)}`,
    customerId: `cust_${customer}`,
    random,
  }
}

export function recordOf(request: Request, line: Line): ShopRecord {
  const { random, code, region } = request
  const { service, level, message, trace, http, duration } = line
  return {
    timestamp: new Date(line.timeMs).toISOString(),
    level,
    message,
    service,
    host: `${service}-${1 + random.below(HOSTS[service])}.${region}`,
    environment: request.environment,
    release: code.sha.slice(0, 7),
    logger: line.logger ?? LOGGERS[service],
    traceId: request.traceId,
    spanId: random.hex(16),
    ...(trace === undefined
      ? {}
      : {
          error: { type: trace.type, message: trace.message, stack: stackText(LANGUAGES[service], trace, code) },
        }),
    attributes: {
      ...(http === undefined ? {} : { http }),
      ...(duration === undefined ? {} : { duration }),
      user: { id: request.userId },
      customer: { id: request.customerId },
      region,
      ...line.attributes,
    },
  }
}
