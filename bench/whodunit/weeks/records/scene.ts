/** One record of the larger shop, as the host writes it that serves the request. */
import type { Random } from '../../../../packages/demo/src/shop/random.ts'
import type { Commit } from '../../../../packages/demo/src/shop/repository/repository.ts'
import { LANGUAGES, type ServiceName } from '../../../../packages/demo/src/shop/services.ts'
import type { ShopRecord } from '../../../../packages/demo/src/shop/shop-record.ts'
import { stackText, type Trace } from '../../../../packages/demo/src/shop/stack-text.ts'
import type { ShopFunction } from '../code/functions.ts'
import { hostCount, type Running } from '../running.ts'
import type { SettingChange } from '../settings.ts'

export type Scene = {
  openedMs: number
  nowMs: number
  running: Running
  settingChanges: readonly SettingChange[]
}

export type Happening = {
  timeMs: number
  level: ShopRecord['level']
  service: ServiceName
  environment: string
  message: string
  /** Any of them when it is not said. */
  host?: number
  logger?: string
  attributes?: Record<string, unknown>
  tenant?: string
  country?: string
  trace?: (commit: Commit) => Trace
  traceId?: string
}

export const TENANTS = [
  'acme',
  'globex',
  'initech',
  'hooli',
  'umbrella',
  'stark',
  'wayne',
  'tyrell',
  'cyberdyne',
] as const
export const COUNTRIES = ['NL', 'DE', 'FR', 'BE', 'AT', 'IE', 'SE', 'DK'] as const

/** Teams differ in what they call a release: the short sha, the whole one, something between. */
const RELEASE_DIGITS: Record<ServiceName, number> = { web: 7, checkout: 40, payments: 40, catalog: 7, worker: 12 }

export function recordAt({ running }: Scene, random: Random, happening: Happening): ShopRecord {
  const { timeMs, level, service, environment, message, trace, attributes } = happening
  const host = happening.host ?? random.below(hostCount(environment, service))
  const commit = running.commitOn(environment, service, host, timeMs)
  const thrown = trace?.(commit)
  return {
    timestamp: new Date(timeMs).toISOString(),
    level,
    message,
    service,
    host: hostName(environment, service, host),
    environment,
    release: commit.sha.slice(0, RELEASE_DIGITS[service]),
    logger: happening.logger ?? service,
    traceId: happening.traceId ?? random.hex(32),
    spanId: random.hex(16),
    ...(thrown === undefined
      ? {}
      : {
          error: {
            type: thrown.type,
            message: thrown.message,
            stack: stackText(LANGUAGES[service], thrown, commit),
          },
        }),
    attributes: {
      tenant: happening.tenant ?? random.pick(TENANTS),
      country: happening.country ?? random.pick(COUNTRIES),
      user: { id: `u_${random.between(10_000, 10_900)}` },
      ...attributes,
    },
  }
}

function hostName(environment: string, service: ServiceName, host: number): string {
  return `${service}-${host + 1}.${environment === 'production' ? 'eu-1' : 'stage'}`
}

/** What the records about a function have in common. */
export function wayTo(of: ShopFunction): { logger: string; attributes: Record<string, unknown> } {
  const logger = `${of.service}.${of.module}`
  return { logger, attributes: of.job === null ? { route: of.route, method: of.method } : { job: of.job } }
}
