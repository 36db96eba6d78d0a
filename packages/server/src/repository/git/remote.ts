/** A remote that was checked, and what git needs to reach exactly it: the address pinned, the credential out of sight. */
import { writeFileSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import type { RemoteCredential } from './credential.ts'
import type { GitTransport } from './git-settings.ts'
import { isNumericHost, type RemoteAddress } from './remote-address.ts'

export type Remote = {
  address: RemoteAddress
  credential: RemoteCredential
  /** Addresses of its host that passed the guard; empty for a path. */
  addresses: readonly string[]
}

type Transport = {
  transport: GitTransport
  config: Record<string, string>
  env: Record<string, string>
}

/** Beside the mirrors: the key a host showed first is the one it must always show, to every project. */
const KNOWN_HOSTS = 'known_hosts'
const KEY_FILE = 'key'
/** Hosts take any user name with a token; for one that does not, the token is given as `user:token`. */
const TOKEN_USER = 'x-access-token'
const CONNECT_TIMEOUT_SECONDS = 20

/** `folder` is the call's own work folder inside the folder of all mirrors. */
export function transportTo({ address, credential, addresses }: Remote, folder: string): Transport {
  switch (address.kind) {
    case 'local':
      requireCredential(credential, ['none'], 'A path needs no credential: leave it out.')
      return { transport: 'file', config: {}, env: {} }
    case 'https':
      requireCredential(
        credential,
        ['none', 'token'],
        'Over https an access token is used: give one, not a deploy key.',
      )
      return { transport: 'https', config: pin(address, addresses), env: header(address, credential) }
    case 'ssh':
      requireCredential(credential, ['deploy_key'], 'Over ssh a deploy key is needed: give one, not a token.')
      return { transport: 'ssh', config: {}, env: sshEnvironment(address, credential, addresses, folder) }
  }
}

function requireCredential(given: RemoteCredential, possible: RemoteCredential['kind'][], message: string): void {
  if (!possible.includes(given.kind)) throw new AppError('invalid_request', message)
}

/** The name is never resolved again. An address in place of a name needs no pin, and curl would misread one. */
function pin({ host, port }: { host: string; port: number }, addresses: readonly string[]): Record<string, string> {
  if (isNumericHost(host)) return {}
  const to = addresses.map((one) => (isIPv6(one) ? `[${one}]` : one)).join(',')
  return { 'http.curloptResolve': `${host}:${port}:${to}` }
}

export function authorization(credential: RemoteCredential): string | undefined {
  if (credential.kind !== 'token') return undefined
  const pair = credential.token.includes(':') ? credential.token : `${TOKEN_USER}:${credential.token}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** In the environment, because everybody can see the arguments of a process. */
function header({ url }: { url: string }, credential: RemoteCredential): Record<string, string> {
  const value = authorization(credential)
  if (value === undefined) return {}
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: ${value}`,
  }
}

function sshEnvironment(
  { host, port }: { host: string; port: number },
  credential: RemoteCredential,
  addresses: readonly string[],
  folder: string,
): Record<string, string> {
  const [to] = addresses
  // Both are part of a command that a shell parses.
  if (to === undefined || isIP(to) === 0 || !/^[a-z0-9._:[\]-]+$/.test(host)) throw new Error('an unchecked ssh host')
  if (credential.kind === 'deploy_key') writeFileSync(join(folder, KEY_FILE), credential.privateKey, { mode: 0o600 })
  const options = {
    HostName: to,
    HostKeyAlias: port === 22 ? host : `${host}-${port}`,
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    BatchMode: 'yes',
    StrictHostKeyChecking: 'accept-new',
    // Relative to the work folder: ssh would read a path with a space as two.
    UserKnownHostsFile: `../${KNOWN_HOSTS}`,
    GlobalKnownHostsFile: '/dev/null',
    CheckHostIP: 'no',
    UpdateHostKeys: 'no',
    ProxyCommand: 'none',
    PermitLocalCommand: 'no',
    ClearAllForwardings: 'yes',
    ConnectTimeout: String(CONNECT_TIMEOUT_SECONDS),
    ServerAliveInterval: '15',
    ServerAliveCountMax: '3',
  }
  const command = ['ssh', '-F', '/dev/null', '-i', KEY_FILE]
  for (const [name, value] of Object.entries(options)) command.push('-o', `${name}=${value}`)
  return { GIT_SSH_COMMAND: command.join(' '), GIT_SSH_VARIANT: 'ssh' }
}
