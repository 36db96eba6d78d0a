/** The records of requests that fail, and of those that do not. */
import { arrivals } from '../../../../packages/demo/src/shop/arrivals.ts'
import type { Random } from '../../../../packages/demo/src/shop/random.ts'
import type { Commit } from '../../../../packages/demo/src/shop/repository/repository.ts'
import type { ShopRecord } from '../../../../packages/demo/src/shop/shop-record.ts'
import type { Trace } from '../../../../packages/demo/src/shop/stack-text.ts'
import type { Span } from '../../../../packages/demo/src/shop/traffic.ts'
import type { ShopFunction } from '../code/functions.ts'
import { hostCount } from '../running.ts'
import { type Happening, recordAt, type Scene, wayTo } from './scene.ts'

export type Failure = {
  of: ShopFunction
  environment: string
  message: string
  level?: 'error' | 'fatal'
  /** Without one the message is all there is. */
  trace?: (commit: Commit) => Trace
  /** Which code fails; all of it when it is not said. */
  fails?: (commit: Commit) => boolean
  /** Only this host. */
  host?: number
  attributes?: Record<string, unknown>
  status?: number
  durationMs?: readonly [number, number]
} & Pick<Happening, 'tenant' | 'country'>

/** Times of a span, the first of them at its begin. */
export function timesIn(random: Random, { fromMs, toMs }: Span, perMinute: number): number[] {
  return [Math.floor(fromMs), ...arrivals(random, { fromMs, toMs, peakPerSecond: perMinute / 60 })].filter(
    (timeMs) => timeMs < toMs,
  )
}

/** A moment at which no host runs the code that fails leaves nothing. */
export function failuresAt(scene: Scene, random: Random, times: readonly number[], failure: Failure): ShopRecord[] {
  return times.filter((timeMs) => timeMs <= scene.nowMs).flatMap((timeMs) => failureAt(scene, random, timeMs, failure))
}

function failureAt(scene: Scene, random: Random, timeMs: number, failure: Failure): ShopRecord[] {
  const { of, environment, message, level = 'error', trace, fails = () => true, status = 500 } = failure
  const hosts = Array.from({ length: hostCount(environment, of.service) }, (_, at) => at)
    .filter((host) => failure.host === undefined || host === failure.host)
    .filter((host) => fails(scene.running.commitOn(environment, of.service, host, timeMs)))
  const host = hosts[random.below(hosts.length)]
  if (host === undefined) return []
  const [least, most] = failure.durationMs ?? [4, 90]
  const duration = random.between(least, most)
  const { logger, attributes } = wayTo(of)
  const traceId = random.hex(32)
  const whose = pickedOf(failure)
  const http = of.job === null ? { http: { status, method: of.method } } : {}
  const failed = recordAt(scene, random, {
    timeMs,
    level,
    service: of.service,
    environment,
    host,
    message,
    logger,
    traceId,
    ...whose,
    ...(trace === undefined ? {} : { trace }),
    attributes: { ...attributes, ...http, duration, ...failure.attributes },
  })
  if (of.job !== null || of.service === 'web') return [failed]
  const { tenant, country } = failed.attributes as { tenant: string; country: string }
  const answered = recordAt(scene, random, {
    timeMs: timeMs + duration,
    level: 'warn',
    service: 'web',
    environment,
    message: `${of.method} ${of.route} ${status} in ${duration + 7} ms`,
    logger: 'web.access',
    traceId,
    tenant,
    country,
    attributes: { route: of.route, ...http, duration: duration + 7 },
  })
  return [failed, answered]
}

function pickedOf({ tenant, country }: Failure): Pick<Happening, 'tenant' | 'country'> {
  return { ...(tenant === undefined ? {} : { tenant }), ...(country === undefined ? {} : { country }) }
}

/** The same way when it goes well. */
export function servedAt(
  scene: Scene,
  random: Random,
  times: readonly number[],
  { of, environment, tenant }: { of: ShopFunction; environment: string; tenant?: string },
): ShopRecord[] {
  const { logger, attributes } = wayTo(of)
  return times
    .filter((timeMs) => timeMs <= scene.nowMs && timeMs >= scene.openedMs)
    .map((timeMs) => {
      const duration = random.between(3, 120)
      const message =
        of.job === null
          ? `${of.method} ${of.route} 200 in ${duration} ms`
          : `${of.job} finished: ${random.between(1, 400)} rows in ${duration} ms`
      const http = of.job === null ? { http: { status: 200, method: of.method } } : {}
      const whose = tenant === undefined ? {} : { tenant }
      const { service } = of
      const given = { ...attributes, ...http, duration }
      return recordAt(scene, random, {
        timeMs,
        level: 'info',
        service,
        environment,
        message,
        logger,
        ...whose,
        attributes: given,
      })
    })
}
