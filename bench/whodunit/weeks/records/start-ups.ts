import type { Random } from '../../../../packages/demo/src/shop/random.ts'
import { SERVICES, type ServiceName } from '../../../../packages/demo/src/shop/services.ts'
import type { ShopRecord } from '../../../../packages/demo/src/shop/shop-record.ts'
import { hostCount, hostSwitchMs, type Rollout } from '../running.ts'
import { settingsAt } from '../settings.ts'
import { recordAt, type Scene } from './scene.ts'

const RESTARTS_APART_MS = 3_000

type StartUp = { environment: string; service: ServiceName; host: number; timeMs: number }

/** Every host says so when it starts: with each rollout, and when somebody starts a service again with other settings. */
export function startUps(scene: Scene, random: Random, rollouts: readonly Rollout[]): ShopRecord[] {
  const deployed = rollouts.flatMap((rollout) =>
    SERVICES.flatMap((service) =>
      hostsOf(rollout.runsIn, service).map((host) => ({
        environment: rollout.runsIn,
        service,
        host,
        timeMs: hostSwitchMs(rollout, service, host),
      })),
    ),
  )
  const restarted = scene.settingChanges.flatMap(({ environment, service, fromMs, toMs }) =>
    [fromMs, toMs].flatMap((sinceMs) =>
      hostsOf(environment, service).map((host) => ({
        environment,
        service,
        host,
        timeMs: sinceMs + host * RESTARTS_APART_MS,
      })),
    ),
  )
  return [...deployed, ...restarted]
    .filter(({ timeMs }) => timeMs <= scene.nowMs)
    .map((startUp) => startUpRecord(scene, random, startUp))
}

function hostsOf(environment: string, service: ServiceName): number[] {
  return Array.from({ length: hostCount(environment, service) }, (_, host) => host)
}

/** Some teams write their settings into the message, some beside it. */
function startUpRecord(scene: Scene, random: Random, startUp: StartUp): ShopRecord {
  const { environment, service, timeMs } = startUp
  const settings = settingsAt(scene.settingChanges, service, environment, timeMs)
  const line = { ...startUp, timeMs: Math.floor(timeMs), level: 'info', logger: `${service}.main` } as const
  const { attributes, ...record } =
    service === 'payments' || service === 'catalog'
      ? recordAt(scene, random, { ...line, message: `${service} started: ${inWords(settings)}` })
      : recordAt(scene, random, { ...line, message: `${service} started`, attributes: { config: settings } })
  // Nobody asked for it, so it is nobody's.
  const { tenant: _, country: __, user: ___, ...own } = attributes
  return { ...record, attributes: own }
}

function inWords(settings: Record<string, unknown>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}
