/**
 * Where a repository is, as a person wrote it, or a refusal that says how to write it. Nothing else in the service
 * looks at the text: the result is made of checked parts, so that no option, other transport, credential or second line
 * can reach git, ssh or a shell.
 */

import { isIP } from 'node:net'
import { isAbsolute, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MAX_URL_CHARACTERS } from '@tidemark/wire/limits'
import { withCommas } from '@tidemark/wire/text/counted'
import { AppError } from '../../errors.ts'
import { hasCredentials } from '../../model/http-address.ts'

export type RemoteAddress =
  | { kind: 'https' | 'ssh'; url: string; host: string; port: number }
  | { kind: 'local'; url: string }

type Options = {
  /** Set by the operator: allows paths, addresses in place of names, and any port. */
  allowLocal: boolean
}

/** Ports that git servers really use; with only these nobody can scan a network through us. */
const PORTS = { https: [443, 8443], ssh: [22, 443, 2222, 7999] } as const
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/
const USER = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/
const URL_PATH = /^\/[A-Za-z0-9._~%!$&'()*+,;=:@/-]+$/
const SSH_PATH = /^\/?[A-Za-z0-9._~][A-Za-z0-9._~+@/-]*$/
/** `user@host:path`, the form that hosts show. */
const SCP_LIKE = /^([^@:/]+)@([^@:/]+):(.+)$/
const FORMS = 'https://host/path.git or git@host:path.git'

export function parseRemoteAddress(text: string, options: Options): RemoteAddress {
  if (text.length > MAX_URL_CHARACTERS) throw refused(`is longer than ${withCommas(MAX_URL_CHARACTERS)} characters`)
  if (isAbsolute(text)) return localAddress(text, options)
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\')) {
    throw refused('holds a space, a line end or another character that an address cannot hold: percent-encode it')
  }
  if (/%(?:0[0-9a-f]|1[0-9a-f]|7f)/i.test(text)) throw refused('holds an encoded control character')
  const scpLike = SCP_LIKE.exec(text)
  if (scpLike && !text.includes('://')) {
    const [, user = '', host = '', path = ''] = scpLike
    return sshAddress({ user, host, port: 22, path, url: text }, options)
  }
  if (!URL.canParse(text)) throw refused(`is not an address: write it as ${FORMS}`)
  const url = new URL(text)
  switch (url.protocol) {
    case 'https:':
      return httpsAddress(url, options)
    case 'ssh:': {
      const { username: user, hostname: host, pathname: path } = url
      if (url.password || url.search || url.hash)
        throw refused('holds more than user, host and path: leave the rest out')
      const port = url.port === '' ? 22 : Number(url.port)
      const normal = `ssh://${user}@${host}${port === 22 ? '' : `:${port}`}${path}`
      return sshAddress({ user, host, port, path, url: normal }, options)
    }
    case 'file:':
      return localAddress(pathOf(url), options)
    default:
      throw refused(`uses ${url.protocol}, which is not possible here: write it as ${FORMS}`)
  }
}

function httpsAddress(url: URL, options: Options): RemoteAddress {
  if (hasCredentials(url)) {
    throw refused('holds a user name or password: leave it out and give the access token beside it')
  }
  if (url.search || url.hash) throw refused('holds a query or a fragment: leave it out')
  const host = checkedHost(url.hostname, options)
  const port = checkedPort('https', url.port === '' ? 443 : Number(url.port), options)
  const path = url.pathname.replace(/\/+$/, '')
  if (!URL_PATH.test(path)) throw refused('names no repository after the host')
  return { kind: 'https', url: `https://${url.host}${path}`, host, port }
}

type SshParts = { user: string; host: string; port: number; path: string; url: string }

function sshAddress({ user, host, port, path, url }: SshParts, options: Options): RemoteAddress {
  if (!USER.test(user)) throw refused('needs a plain user name before the @, most often git')
  if (!SSH_PATH.test(path)) throw refused('has a path that is not possible here: use letters, digits and . _ - + ~ /')
  return { kind: 'ssh', url, host: checkedHost(host.toLowerCase(), options), port: checkedPort('ssh', port, options) }
}

/** An address in place of a name; one of IPv6 stands in brackets. */
export function isNumericHost(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0
}

function checkedHost(host: string, { allowLocal }: Options): string {
  if (isNumericHost(host)) {
    if (allowLocal) return host
    throw refused(
      'has a number in place of a host name: use the name, or have TIDEMARK_ALLOW_LOCAL_REPOSITORIES=true set',
    )
  }
  // Also refuses a dot at the end: to the resolver it would be a different name than the one that was checked.
  if (!HOST_NAME.test(host)) throw refused('has an invalid host name: check how it is written')
  return host
}

function checkedPort(kind: keyof typeof PORTS, port: number, { allowLocal }: Options): number {
  if (port > 0 && (allowLocal || PORTS[kind].some((one) => one === port))) return port
  throw refused(
    `names port ${port}; over ${kind} it can be ${PORTS[kind].join(', ')}, or any with TIDEMARK_ALLOW_LOCAL_REPOSITORIES=true`,
  )
}

function localAddress(path: string, { allowLocal }: Options): RemoteAddress {
  if (!allowLocal) {
    throw refused(
      `is a path on the service's own machine, and those are refused: use ${FORMS}, or have TIDEMARK_ALLOW_LOCAL_REPOSITORIES=true set`,
    )
  }
  if (/[\x00-\x1f\x7f]/.test(path)) throw refused('holds a control character')
  return { kind: 'local', url: normalize(path) }
}

function pathOf(url: URL): string {
  try {
    return fileURLToPath(url)
  } catch (cause) {
    throw refused('names another machine: a file address has three slashes and a path', cause)
  }
}

function refused(why: string, cause?: unknown): AppError {
  const message = `The repository's address ${why}.`
  return new AppError('invalid_request', message, { cause, fields: [{ path: 'url', message: why }] })
}
