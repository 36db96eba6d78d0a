/** The only reader of the environment. All mistakes are reported together. */
import { readFileSync } from 'node:fs'
import { isLoopbackHost } from '@tidemark/wire/local-address'
import type { BucketAccess } from '../backup/s3/signed-request.ts'
import { BUCKET_VARIABLES, CLIENT_VARIABLES, type LogLevel, type Role, VARIABLES, type Variable } from './variables.ts'

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
  /** Undefined when syslog is off. */
  readonly syslog:
    | {
        readonly port: number
        readonly key: string | undefined
        readonly tls: { readonly cert: string; readonly key: string; readonly ca: string | undefined } | undefined
      }
    | undefined
  readonly storage: {
    readonly dataDir: string
    readonly databaseUrl: string | undefined
    readonly clickhouseUrl: string | undefined
    readonly clickhouseCluster: string | undefined
    readonly retentionDays: number
  }
  readonly accounts: { readonly secretKey: string | undefined; readonly ownerPassword: string | undefined }
  /** Of each read key. */
  readonly keyLimits: { readonly callsPerMinute: number; readonly atOnce: number }
  readonly repository: { readonly allowLocal: boolean }
  readonly alerts: {
    readonly allowLocal: boolean
    /** Null when no mail can be sent. */
    readonly mail: { readonly url: string; readonly from: string } | null
  }
  readonly roles: readonly Role[]
  readonly logLevel: LogLevel
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

type Name = keyof typeof VARIABLES
/** Undefined only where nothing is set and nothing is preset. */
type Value<N extends Name> =
  | Exclude<ReturnType<(typeof VARIABLES)[N]['parse']>, undefined>
  | ((typeof VARIABLES)[N] extends { default: string } ? never : undefined)

const SYSLOG_VARIABLES = ['TIDEMARK_SYSLOG_KEY', 'TIDEMARK_SYSLOG_TLS_CERT', 'TIDEMARK_SYSLOG_TLS_KEY'] as const

/** Throws `ConfigError` with every mistake found. Values of secret variables never appear in it. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const mistakes: string[] = []
  const get = <N extends Name>(name: N): Value<N> => {
    const { accepts, secret, parse, default: preset }: Variable<unknown> = VARIABLES[name]
    const text = readVariable(name, env, mistakes)
    const value = text === undefined ? undefined : parse(text)
    if (text !== undefined && value === undefined)
      mistakes.push(`${name} must be ${accepts}${secret ? '' : `; got ${JSON.stringify(printable(text))}`}.`)
    return (value ?? (preset === undefined ? undefined : parse(preset))) as Value<N>
  }

  const port = get('TIDEMARK_PORT')
  const host = get('TIDEMARK_HOST')
  const publicUrl = get('TIDEMARK_PUBLIC_URL') ?? `http://localhost:${port}`
  const databaseUrl = get('TIDEMARK_DATABASE_URL')
  const secretKey = get('TIDEMARK_SECRET_KEY')
  const clickhouseUrl = get('TIDEMARK_CLICKHOUSE_URL')
  const clickhouseCluster = get('TIDEMARK_CLICKHOUSE_CLUSTER')
  const syslogPort = get('TIDEMARK_SYSLOG_PORT')
  const syslogKey = get('TIDEMARK_SYSLOG_KEY')
  const cert = get('TIDEMARK_SYSLOG_TLS_CERT')
  const certKey = get('TIDEMARK_SYSLOG_TLS_KEY')
  const ca = get('TIDEMARK_SYSLOG_TLS_CA')
  const tls = cert === undefined || certKey === undefined ? undefined : { cert, key: certKey, ca }
  const smtpUrl = get('TIDEMARK_SMTP_URL')
  const mailFrom = get('TIDEMARK_MAIL_FROM')
  const config: Config = {
    syslog: syslogPort === undefined ? undefined : { port: syslogPort, key: syslogKey, tls },
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
      dataDir: get('TIDEMARK_DATA_DIR'),
      databaseUrl,
      clickhouseUrl,
      clickhouseCluster,
      retentionDays: get('TIDEMARK_RETENTION_DAYS'),
    },
    accounts: { secretKey, ownerPassword: get('TIDEMARK_OWNER_PASSWORD') },
    keyLimits: { callsPerMinute: get('TIDEMARK_MCP_CALLS_PER_MINUTE'), atOnce: get('TIDEMARK_MCP_CALLS_AT_ONCE') },
    repository: { allowLocal: get('TIDEMARK_ALLOW_LOCAL_REPOSITORIES') },
    alerts: {
      allowLocal: get('TIDEMARK_ALLOW_LOCAL_WEBHOOKS'),
      mail: smtpUrl === undefined || mailFrom === undefined ? null : { url: smtpUrl, from: mailFrom },
    },
    roles: get('TIDEMARK_ROLES'),
    logLevel: get('TIDEMARK_LOG_LEVEL'),
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
  if (isSet('TIDEMARK_SYSLOG_TLS_CERT') !== isSet('TIDEMARK_SYSLOG_TLS_KEY')) {
    mistakes.push('TIDEMARK_SYSLOG_TLS_CERT and TIDEMARK_SYSLOG_TLS_KEY belong together: set both, or neither.')
  }
  if (isSet('TIDEMARK_SYSLOG_TLS_CA') && !isSet('TIDEMARK_SYSLOG_TLS_CERT')) {
    mistakes.push('TIDEMARK_SYSLOG_TLS_CA needs TIDEMARK_SYSLOG_TLS_CERT: without TLS nobody shows a certificate.')
  }
  if (syslogPort === undefined && SYSLOG_VARIABLES.some(isSet)) {
    mistakes.push('TIDEMARK_SYSLOG_KEY and TIDEMARK_SYSLOG_TLS_… need TIDEMARK_SYSLOG_PORT: without it syslog is off.')
  }
  if (syslogPort !== undefined && syslogPort !== 0 && syslogPort === port) {
    mistakes.push('TIDEMARK_SYSLOG_PORT and TIDEMARK_PORT are the same: syslog needs a port of its own.')
  }
  if (isSet('TIDEMARK_SMTP_URL') !== isSet('TIDEMARK_MAIL_FROM')) {
    mistakes.push(
      'TIDEMARK_SMTP_URL and TIDEMARK_MAIL_FROM need each other: set both to send alerts by e-mail, or none.',
    )
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return deepFreeze(config)
}

/** How a bucket with backups is reached. Read only when one is named: other programs set these variables too. */
export function loadBucketAccess(env: Record<string, string | undefined> = process.env): BucketAccess {
  const mistakes: string[] = []
  const get = (name: keyof typeof BUCKET_VARIABLES, otherName: string = name): string | undefined => {
    const { accepts, secret, parse, default: preset }: Variable<string> = BUCKET_VARIABLES[name]
    const used = env[name] || env[`${name}_FILE`] ? name : otherName
    const text = readVariable(used, env, mistakes)
    const value = text === undefined ? preset : parse(text)
    if (text !== undefined && value === undefined)
      mistakes.push(`${used} must be ${accepts}${secret ? '' : `; got ${JSON.stringify(printable(text))}`}.`)
    return value
  }
  const accessKeyId = get('AWS_ACCESS_KEY_ID')
  const secretAccessKey = get('AWS_SECRET_ACCESS_KEY')
  const access = {
    sessionToken: get('AWS_SESSION_TOKEN'),
    region: get('AWS_REGION', 'AWS_DEFAULT_REGION') ?? '',
    endpoint: get('AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'),
  }
  if (mistakes.length === 0 && (accessKeyId === undefined || secretAccessKey === undefined))
    mistakes.push(
      'A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or files named by AWS_ACCESS_KEY_ID_FILE and AWS_SECRET_ACCESS_KEY_FILE. Profiles and roles are not looked up: `aws configure export-credentials --format env` prints their variables.',
    )
  if (mistakes.length > 0 || accessKeyId === undefined || secretAccessKey === undefined) throw new ConfigError(mistakes)
  return { accessKeyId, secretAccessKey, ...access }
}

/** Names that begin with our prefix and mean nothing to the service: usually a typo. */
export function unknownVariables(env: Record<string, string | undefined> = process.env): string[] {
  return Object.keys(env).filter(
    (name) => name.startsWith('TIDEMARK_') && !(name.replace(/_FILE$/, '') in VARIABLES) && !CLIENT_VARIABLES.has(name),
  )
}

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

/** An address may contain a password where none belongs. */
function printable(text: string): string {
  return text.replace(/\/\/.*@/s, '//…@').slice(0, 100)
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
