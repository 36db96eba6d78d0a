/** Which code runs on which host at which time. A rollout takes minutes, in which two releases run side by side. */

import type { Commit } from '../../../packages/demo/src/shop/repository/repository.ts'
import { HOSTS, type ServiceName } from '../../../packages/demo/src/shop/services.ts'

export type Rollout = { runsIn: string; fromMs: number; takesMs: number; commit: Commit }

export class Running {
  readonly #byEnvironment = new Map<string, Rollout[]>()

  constructor(rollouts: readonly Rollout[]) {
    for (const rollout of rollouts) {
      const known = this.#byEnvironment.get(rollout.runsIn) ?? []
      this.#byEnvironment.set(rollout.runsIn, [...known, rollout])
    }
    for (const known of this.#byEnvironment.values()) known.sort((a, b) => a.fromMs - b.fromMs)
  }

  commitOn(environment: string, service: ServiceName, host: number, timeMs: number): Commit {
    const rollouts = this.#byEnvironment.get(environment) ?? []
    let at = lastBegun(rollouts, timeMs)
    for (; at > 0; at--) {
      const rollout = rollouts[at]
      if (rollout && hostSwitchMs(rollout, service, host) <= timeMs) break
    }
    const found = rollouts[at]
    if (!found) throw new Error(`Nothing runs in ${environment}.`)
    return found.commit
  }
}

/** Asked for every record, so the half that cannot hold it is left out each time. */
function lastBegun(rollouts: readonly Rollout[], timeMs: number): number {
  let [least, most] = [0, rollouts.length - 1]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if ((rollouts[middle]?.fromMs ?? 0) <= timeMs) least = middle
    else most = middle - 1
  }
  return least
}

export function hostSwitchMs({ runsIn, fromMs, takesMs }: Rollout, service: ServiceName, host: number): number {
  return fromMs + (takesMs * host) / hostCount(runsIn, service)
}

export function hostCount(environment: string, service: ServiceName): number {
  return environment === 'production' ? HOSTS[service] : 1
}
