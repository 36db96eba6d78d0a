/**
 * Decides where the service may connect at a person's request. A host is resolved once, every address it has must be
 * public, and the caller connects to one of the returned addresses, never to the name: a different DNS answer after the
 * check changes nothing.
 */
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { isPublicAddress } from './public-address.ts'

/** All addresses of a host, of both families. Rejects, or resolves to none, when it has none. */
type ResolveHost = (host: string) => Promise<string[]>

/** Resolves to addresses that may be connected to, at least one, IPv4 first; rejects with what to do otherwise. */
export type AddressGuard = (host: string) => Promise<string[]>

type Options = {
  /** Set by the operator: private addresses are allowed too. */
  allowPrivate: boolean
  /** The variable with which the operator allows them. */
  allowedBy?: string
  resolve?: ResolveHost
  timeoutMs?: number
}

const RESOLVE_TIMEOUT_MS = 10_000

export function createAddressGuard({
  allowPrivate,
  allowedBy = 'TIDEMARK_ALLOW_LOCAL_REPOSITORIES',
  resolve = systemResolve,
  timeoutMs = RESOLVE_TIMEOUT_MS,
}: Options): AddressGuard {
  return async (host) => {
    const literal = host.replace(/^\[|\]$/g, '')
    const found = isIP(literal) === 0 ? await resolved(host, resolve, timeoutMs) : [literal]
    const addresses = found.filter((address) => isIP(address) !== 0 && !address.includes('%'))
    if (addresses.length === 0) throw unknownHost(host)
    // One private address among public ones is enough: we do not choose which of them is used.
    if (!allowPrivate && !addresses.every(isPublicAddress)) {
      throw new AppError(
        'invalid_request',
        `"${host}" leads to an address that is private to this network, and those are refused. The operator of the service can allow them with ${allowedBy}=true.`,
      )
    }
    return [...new Set(addresses)].sort((a, b) => isIP(a) - isIP(b))
  }
}

/** For a request to the host: it is not looked up once more, and the connection goes where the check was. */
export function leadTo(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, options, done) => {
    if (options.all) done(null, [{ address, family }])
    else done(null, address, family)
  }
}

async function resolved(host: string, resolve: ResolveHost, timeoutMs: number): Promise<string[]> {
  const timer = new AbortController()
  try {
    return await Promise.race([
      resolve(host),
      sleep(timeoutMs, undefined, { signal: timer.signal }).then(() => Promise.reject(new Error('timed out'))),
    ])
  } catch (cause) {
    throw unknownHost(host, cause)
  } finally {
    timer.abort()
  }
}

function unknownHost(host: string, cause?: unknown): AppError {
  const message = `The host "${host}" cannot be found: check how it is written, and that this machine can resolve it.`
  return new AppError('invalid_request', message, { cause })
}

/** As any program on this machine would resolve it, its hosts file included. */
async function systemResolve(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
}
