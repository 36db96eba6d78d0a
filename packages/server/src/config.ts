/**
 * The only reader of the environment. Every variable stands once in `VARIABLES`, with what it accepts in words;
 * the table makes the parser, the error messages and docs/configuration.md. All mistakes are reported together.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isLoopbackHost } from './model/host.ts'

export const ROLES = ['ingest', 'web', 'mcp', 'worker'] as const
export type Role = (typeof ROLES)[number]

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type Config = {
  readonly http: {
    readonly port: number
    readonly host: string
    readonly publicUrl: string
    readonly ingestUrl: string
    readonly mcpUrl: string
    readonly allowedHosts: readonly string[]
    readonly trustedProxies: readonly string[]
    readonly metricsToken: string | undefined
  }
  readonly storage: {
    readonly dataDir: string
    readonly databaseUrl: string | undefined
    readonly clickhouseUrl: string | undefined
    readonly clickhouseCluster: string | undefined
    readonly retentionDays: number
  }
  readonly accounts: { readonly secretKey: string | undefined; readonly ownerPassword: string | undefined }
  readonly repository: { readonly allowLocal: boolean }
  readonly llm: { readonly url: string; readonly model: string; readonly key: string | undefined } | undefined
  readonly roles: readonly Role[]
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

export class ConfigError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(
      `The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.map((m) => `  - ${m}`).join('\n')}`,
    )
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

type Variable<T> = {
  summary: string
  accepts: string
  default: string
  secret?: boolean
  parse: (text: string) => T | undefined
}

/** `parse` answers undefined for what is not accepted; the message is made from `accepts`. */
export const VARIABLES = {
  TIDEMARK_PORT: {
    summary: 'Port to listen on.',
    accepts: 'a whole number from 1 to 65535 (0 takes a free port)',
    default: '4700',
    parse: whole(0, 65_535),
  },
  TIDEMARK_HOST: {
    summary: 'Address to listen on. Any other than loopback needs `TIDEMARK_PUBLIC_URL`.',
    accepts: 'an IP address or host name',
    default: '127.0.0.1',
    parse: hostName,
  },
  TIDEMARK_DATA_DIR: {
    summary: 'Folder for everything the service keeps. One running service per folder.',
    accepts: 'a path',
    default: './data',
    parse: (text: string) => resolve(text),
  },
  TIDEMARK_PUBLIC_URL: {
    summary: 'Address people and programs reach the service at.',
    accepts: 'an http or https address without query',
    default: 'http://localhost:<port>',
    parse: baseUrl,
  },
  TIDEMARK_INGEST_URL: {
    summary: 'Base address for ingest, shown in snippets.',
    accepts: 'an http or https address without query',
    default: 'the public URL',
    parse: baseUrl,
  },
  TIDEMARK_MCP_URL: {
    summary: 'Base address for MCP, shown in snippets.',
    accepts: 'an http or https address without query',
    default: 'the public URL',
    parse: baseUrl,
  },
  TIDEMARK_ALLOWED_HOSTS: {
    summary: 'More `Host` header names to accept, besides loopback names and the hosts of the addresses above.',
    accepts: 'host names separated by commas, without scheme or port',
    default: 'none',
    parse: hostList,
  },
  TIDEMARK_TRUSTED_PROXIES: {
    summary:
      'Reverse proxies whose `X-Forwarded-For` is believed: sign-ins are then limited per visitor, not per proxy.',
    accepts: 'IP addresses and ranges such as 10.0.0.0/8, separated by commas',
    default: 'none',
    parse: addressList,
  },
  TIDEMARK_CLICKHOUSE_URL: {
    summary: 'Keeps logs in this ClickHouse server instead of the embedded engine.',
    accepts: 'an http or https address such as http://user:password@host:8123/database',
    default: 'embedded engine',
    secret: true,
    parse: serverUrl('http:', 'https:'),
  },
  TIDEMARK_CLICKHOUSE_CLUSTER: {
    summary: 'Name of the ClickHouse cluster for replicated and distributed tables.',
    accepts: 'letters, digits, `_` and `-`',
    default: 'none',
    parse: matching(/^[A-Za-z0-9_-]{1,64}$/),
  },
  TIDEMARK_DATABASE_URL: {
    summary: 'Keeps projects, keys, deploys and analyses in this PostgreSQL database instead of SQLite.',
    accepts: 'an address such as postgres://user:password@host:5432/database',
    default: 'SQLite in the data folder',
    secret: true,
    parse: serverUrl('postgres:', 'postgresql:'),
  },
  TIDEMARK_ROLES: {
    summary: 'Which jobs this node does.',
    accepts: `a comma-separated choice of ${ROLES.join(', ')}`,
    default: ROLES.join(','),
    parse: roleList,
  },
  TIDEMARK_RETENTION_DAYS: {
    summary: 'How long records of a new project are kept.',
    accepts: 'a whole number from 1 to 3650',
    default: '30',
    parse: whole(1, 3650),
  },
  TIDEMARK_SECRET_KEY: {
    summary:
      'Signs cursors and encrypts secrets at rest. Required with `TIDEMARK_DATABASE_URL`, the same on every node.',
    accepts: 'at least 32 characters',
    default: 'made once, kept in the data folder',
    secret: true,
    parse: atLeast(32),
  },
  TIDEMARK_OWNER_PASSWORD: {
    summary: 'Makes the account owner@localhost with this password at the first start, without a person.',
    accepts: 'at least 8 characters',
    default: 'none',
    secret: true,
    parse: atLeast(8),
  },
  TIDEMARK_METRICS_TOKEN: {
    summary: 'Bearer token for `/metrics`. Without it `/metrics` answers on a loopback address only.',
    accepts: 'at least 16 characters',
    default: 'none',
    secret: true,
    parse: atLeast(16),
  },
  TIDEMARK_ALLOW_LOCAL_REPOSITORIES: {
    summary: 'Lets repositories be connected by file path or at private addresses.',
    accepts: '`true` or `false`',
    default: 'false',
    parse: flag,
  },
  TIDEMARK_LLM_URL: {
    summary: 'OpenAI-compatible endpoint for optional narratives. Nothing is sent anywhere without it.',
    accepts: 'an http or https address without query',
    default: 'none',
    parse: baseUrl,
  },
  TIDEMARK_LLM_MODEL: {
    summary: 'Model to ask for at `TIDEMARK_LLM_URL`.',
    accepts: 'a model name',
    default: 'none',
    parse: atLeast(1),
  },
  TIDEMARK_LLM_KEY: {
    summary: 'Key for `TIDEMARK_LLM_URL`.',
    accepts: 'text',
    default: 'none',
    secret: true,
    parse: atLeast(1),
  },
  TIDEMARK_LOG_LEVEL: {
    summary: "The service's own log, JSON lines on standard error.",
    accepts: LOG_LEVELS.join(', '),
    default: 'info',
    parse: oneOf(LOG_LEVELS),
  },
} as const satisfies Record<string, Variable<unknown>>

type Name = keyof typeof VARIABLES
type Value<N extends Name> = Exclude<ReturnType<(typeof VARIABLES)[N]['parse']>, undefined>

/** Throws `ConfigError` with every mistake found. Values of secret variables never appear in it. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const mistakes: string[] = []
  const get = <N extends Name>(name: N): Value<N> | undefined => {
    const variable: Variable<unknown> = VARIABLES[name]
    const text = readVariable(name, env, mistakes)
    if (text === undefined) return undefined
    const value = variable.parse(text)
    if (value === undefined)
      mistakes.push(
        `${name} takes ${variable.accepts}${variable.secret ? '' : `; got ${JSON.stringify(printable(text))}`}.`,
      )
    return value as Value<N> | undefined
  }

  const port = get('TIDEMARK_PORT') ?? 4700
  const host = get('TIDEMARK_HOST') ?? '127.0.0.1'
  const givenPublicUrl = get('TIDEMARK_PUBLIC_URL')
  const publicUrl = givenPublicUrl ?? `http://localhost:${port}`
  const databaseUrl = get('TIDEMARK_DATABASE_URL')
  const secretKey = get('TIDEMARK_SECRET_KEY')
  const clickhouseUrl = get('TIDEMARK_CLICKHOUSE_URL')
  const clickhouseCluster = get('TIDEMARK_CLICKHOUSE_CLUSTER')
  const llm = { url: get('TIDEMARK_LLM_URL'), model: get('TIDEMARK_LLM_MODEL'), key: get('TIDEMARK_LLM_KEY') }
  const config: Config = {
    http: {
      port,
      host,
      publicUrl,
      ingestUrl: get('TIDEMARK_INGEST_URL') ?? publicUrl,
      mcpUrl: get('TIDEMARK_MCP_URL') ?? publicUrl,
      allowedHosts: get('TIDEMARK_ALLOWED_HOSTS') ?? [],
      trustedProxies: get('TIDEMARK_TRUSTED_PROXIES') ?? [],
      metricsToken: get('TIDEMARK_METRICS_TOKEN'),
    },
    storage: {
      dataDir: get('TIDEMARK_DATA_DIR') ?? resolve('./data'),
      databaseUrl,
      clickhouseUrl,
      clickhouseCluster,
      retentionDays: get('TIDEMARK_RETENTION_DAYS') ?? 30,
    },
    accounts: { secretKey, ownerPassword: get('TIDEMARK_OWNER_PASSWORD') },
    repository: { allowLocal: get('TIDEMARK_ALLOW_LOCAL_REPOSITORIES') ?? false },
    llm: llm.url && llm.model ? { url: llm.url, model: llm.model, key: llm.key } : undefined,
    roles: get('TIDEMARK_ROLES') ?? ROLES,
    logLevel: get('TIDEMARK_LOG_LEVEL') ?? 'info',
  }

  const isSet = (name: Name) => Boolean(env[name] || env[`${name}_FILE`])
  if (!isLoopbackHost(host) && !isSet('TIDEMARK_PUBLIC_URL')) {
    mistakes.push(
      `TIDEMARK_HOST is ${JSON.stringify(host)}, which others can reach, so TIDEMARK_PUBLIC_URL must say under which address; it decides which Host headers are answered.`,
    )
  }
  if (isSet('TIDEMARK_DATABASE_URL') && !isSet('TIDEMARK_SECRET_KEY')) {
    mistakes.push(
      'TIDEMARK_DATABASE_URL needs TIDEMARK_SECRET_KEY too, the same on every node: at least 32 characters, for instance from `openssl rand -hex 32`.',
    )
  }
  if (isSet('TIDEMARK_CLICKHOUSE_CLUSTER') && !isSet('TIDEMARK_CLICKHOUSE_URL')) {
    mistakes.push('TIDEMARK_CLICKHOUSE_CLUSTER needs TIDEMARK_CLICKHOUSE_URL: the embedded engine has no cluster.')
  }
  if (isSet('TIDEMARK_LLM_URL') !== isSet('TIDEMARK_LLM_MODEL')) {
    mistakes.push('TIDEMARK_LLM_URL and TIDEMARK_LLM_MODEL go together: set both or neither.')
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return deepFreeze(config)
}

/** Names that begin with our prefix and mean nothing to the service: most often a typing error. */
export function unknownVariables(env: Record<string, string | undefined> = process.env): string[] {
  return Object.keys(env).filter(
    (name) => name.startsWith('TIDEMARK_') && !(name.replace(/_FILE$/, '') in VARIABLES) && !CLIENT_VARIABLES.has(name),
  )
}

/** Read by the SDK and by CLI commands that talk to a service, not by the service. */
const CLIENT_VARIABLES = new Set([
  'TIDEMARK_URL',
  'TIDEMARK_INGEST_KEY',
  'TIDEMARK_READ_KEY',
  'TIDEMARK_SERVICE',
  'TIDEMARK_ENV',
  'TIDEMARK_RELEASE',
  'TIDEMARK_REPOSITORY_TOKEN',
])

/** An empty value counts as not set: compose files pass empty strings for what was left out. */
function readVariable(name: string, env: Record<string, string | undefined>, mistakes: string[]): string | undefined {
  const text = env[name] || undefined
  const path = env[`${name}_FILE`] || undefined
  if (path === undefined) return text
  if (text !== undefined) {
    mistakes.push(`${name} and ${name}_FILE are both set: keep one.`)
    return undefined
  }
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '') || undefined
  } catch (error) {
    mistakes.push(
      `${name}_FILE names ${JSON.stringify(path)}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`,
    )
    return undefined
  }
}

/** A password may stand in an address where none belongs. */
function printable(text: string): string {
  return text.replace(/\/\/.*@/s, '//…@').slice(0, 100)
}

function whole(min: number, max: number) {
  return (text: string) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined
}

function atLeast(length: number) {
  return (text: string) => (text.length >= length ? text : undefined)
}

function matching(pattern: RegExp) {
  return (text: string) => (pattern.test(text) ? text : undefined)
}

function oneOf<const T extends readonly string[]>(values: T) {
  return (text: string): T[number] | undefined => values.find((value) => value === text)
}

function flag(text: string): boolean | undefined {
  if (['true', '1', 'yes', 'on'].includes(text.toLowerCase())) return true
  return ['false', '0', 'no', 'off'].includes(text.toLowerCase()) ? false : undefined
}

function hostName(text: string): string | undefined {
  return /^[A-Za-z0-9_.:-]{1,253}$/.test(text) ? text : undefined
}

function hostList(text: string): string[] | undefined {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  return names.every((name) => /^[a-z0-9_.-]{1,253}$|^\[[0-9a-f:]+\]$/.test(name)) ? names : undefined
}

function addressList(text: string): string[] | undefined {
  const ranges = text.split(',').map((range) => range.trim())
  const isRange = (range: string) => {
    const [address = '', bits, ...more] = range.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    return isIP(address) !== 0 && more.length === 0 && (bits === undefined || whole(1, most)(bits) !== undefined)
  }
  return ranges.every(isRange) ? ranges : undefined
}

function roleList(text: string): Role[] | undefined {
  const names = text.split(',').map((name) => name.trim())
  const roles = ROLES.filter((role) => names.includes(role))
  return roles.length === new Set(names).size ? roles : undefined
}

function baseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username) return undefined
  return url.href.replace(/\/+$/, '')
}

function serverUrl(...protocols: string[]) {
  return (text: string) => {
    // PostgreSQL's way to name a socket leaves the host out: postgres://ada@/logs?host=/var/run/postgresql.
    const whole = text.replace(/^(postgres(?:ql)?:\/\/[^/]*@)\//, '$1localhost/')
    return URL.canParse(whole) && protocols.includes(new URL(whole).protocol) ? text : undefined
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
