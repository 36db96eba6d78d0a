/**
 * Which connections a port accepts, before anyone has shown a key. When there is no room, a connection that nothing runs on
 * is closed for the new one, so idle connections never keep a new client out.
 */
import { BlockList, isIPv6 } from 'node:net'

export type ConnectionLimits = {
  connections: number
  /** Does not apply to the reverse proxies that the operator has named: their connections belong to many clients. */
  connectionsPerAddress: number
}

export type ConnectionPlace = {
  /** A busy connection is never closed for a new one. */
  setBusy(isBusy: boolean): void
  free(): void
}

type Occupied = { network: string; isBusy: boolean; close: () => void }

export class ConnectionPlaces {
  readonly stats = { open: 0, refused: 0, displaced: 0 }
  readonly #limits: ConnectionLimits
  readonly #proxies = new BlockList()
  /** Those that became idle last come last. */
  readonly #occupied = new Set<Occupied>()
  readonly #byNetwork = new Map<string, number>()

  constructor(limits: ConnectionLimits, trustedProxies: readonly string[] = []) {
    this.#limits = limits
    for (const range of trustedProxies) {
      const [address = '', bits] = range.split('/')
      this.#proxies.addSubnet(address, Number(bits ?? (isIPv6(address) ? 128 : 32)), familyOf(address))
    }
  }

  /** Returns null if there is no room. `close` is called when the place is given to another connection. */
  take(address: string | undefined = '', close: () => void): ConnectionPlace | null {
    const network = clientNetwork(address)
    if (!this.#makeRoom(network, address)) {
      this.stats.refused++
      return null
    }
    const place: Occupied = { network, isBusy: false, close }
    this.#occupied.add(place)
    this.#byNetwork.set(network, this.#count(network) + 1)
    this.stats.open++
    return {
      setBusy: (isBusy) => {
        place.isBusy = isBusy
        if (!isBusy && this.#occupied.delete(place)) this.#occupied.add(place)
      },
      free: () => this.#free(place),
    }
  }

  #makeRoom(network: string, address: string): boolean {
    const isFull = this.stats.open >= this.#limits.connections
    const hasTooMany = this.#count(network) >= this.#limits.connectionsPerAddress && !this.#isProxy(address)
    if (!isFull && !hasTooMany) return true
    const idle = this.#longestIdle(hasTooMany ? network : undefined)
    if (idle === undefined) return false
    this.stats.displaced++
    this.#free(idle)
    idle.close()
    return true
  }

  /** Without a network, the one with the most connections gives one up. */
  #longestIdle(network: string | undefined): Occupied | undefined {
    let found: Occupied | undefined
    for (const place of this.#occupied) {
      if (place.isBusy || (network !== undefined && place.network !== network)) continue
      if (found === undefined || this.#count(place.network) > this.#count(found.network)) found = place
    }
    return found
  }

  #free(place: Occupied): void {
    if (!this.#occupied.delete(place)) return
    this.stats.open--
    const left = this.#count(place.network) - 1
    if (left === 0) this.#byNetwork.delete(place.network)
    else this.#byNetwork.set(place.network, left)
  }

  #count(network: string): number {
    return this.#byNetwork.get(network) ?? 0
  }

  #isProxy(address: string): boolean {
    return this.#proxies.check(address, familyOf(address))
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/** Names the network of one client: an IPv4 address, or the /64 of IPv6 addresses that one customer has. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address) || /^::ffff:\d+\./i.test(address)) return address.replace(/^::ffff:/i, '')
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? []
  const [left, right] = [head, tail].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ]
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}
