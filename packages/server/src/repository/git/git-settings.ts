/**
 * What every call of git gets. The environment starts empty, so none of the machine's git configuration, proxies or
 * agents is used; every transport except the one asked for is off; nothing from a repository is ever run.
 */

export type GitTransport = 'https' | 'ssh' | 'file' | 'none'

/** Where git and ssh are searched for. */
export const SEARCH_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin'

/** Before 2.37 git does not know `http.curloptResolve` and would silently resolve the name a second time. */
export const LEAST_GIT = [2, 37] as const

/** From what `git --version` says. */
export function gitVersion(said: string): [major: number, minor: number] | null {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(said) ?? []
  return major === undefined ? null : [Number(major), Number(minor)]
}

export function isNewEnough(said: string): boolean {
  const [major, minor] = gitVersion(said) ?? [0, 0]
  return major > LEAST_GIT[0] || (major === LEAST_GIT[0] && minor >= LEAST_GIT[1])
}

const ALWAYS: Record<string, string> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.symlinks': 'false',
  'core.protectHFS': 'true',
  'core.protectNTFS': 'true',
  'core.quotePath': 'true',
  // Memory: packs are mapped in small windows, large files are streamed.
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '512m',
  'core.bigFileThreshold': '16m',
  'credential.helper': '',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'transfer.bundleURI': 'false',
  'transfer.credentialsInUrl': 'die',
  'transfer.fsckObjects': 'true',
  'i18n.logOutputEncoding': 'UTF-8',
  'log.showSignature': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'http.followRedirects': 'false',
  'http.sslVerify': 'true',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '20',
}

/** Old faults in well-known repositories, harmless as long as nothing is checked out. */
const HARMLESS_FAULTS = [
  'badDate',
  'badTimezone',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'multipleAuthors',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
]

export function hardening(transport: GitTransport): Record<string, string> {
  return {
    ...ALWAYS,
    ...Object.fromEntries(HARMLESS_FAULTS.map((fault) => [`fetch.fsck.${fault}`, 'ignore'])),
    'protocol.allow': 'never',
    ...(transport !== 'none' && { [`protocol.${transport}.allow`]: 'always' }),
  }
}

export function cleanEnvironment(transport: GitTransport, searchPath: string): Record<string, string> {
  return {
    PATH: searchPath,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: transport,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
  }
}
