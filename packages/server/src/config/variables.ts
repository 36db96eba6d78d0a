/**
 * Every variable once, with what it accepts in words: the table makes the parser, the error messages and
 * docs/configuration.md.
 */

import { resolve } from 'node:path'
import { MAX_PASSWORD_CHARACTERS, MAX_RETENTION_DAYS, MIN_PASSWORD_CHARACTERS } from '@tidemark/wire/limits'
import { DEFAULT_PORT } from '@tidemark/wire/local-address'
import { keyPrefix } from '@tidemark/wire/people/key-kind'
import { EMAIL_ADDRESS } from '../model/email-address.ts'
import { KEY_ALPHABET, KEY_CHARACTERS } from '../model/key.ts'
import { KEY_LIMITS, MAX_KEY_LIMITS } from '../verbs/reading/call-limits.ts'
import {
  addressList,
  atLeast,
  baseUrl,
  flag,
  hostList,
  hostName,
  matching,
  oneOf,
  pem,
  serverUrl,
  whole,
} from './values.ts'

const ROLES = ['ingest', 'web', 'mcp', 'worker'] as const
export type Role = (typeof ROLES)[number]

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

export type Variable<T> = {
  summary: string
  accepts: string
  /** What counts when it is not set: a value, read as if it had been given … */
  default?: string
  /** … or, in words, what happens without it. */
  otherwise?: string
  secret?: boolean
  parse: (text: string) => T | undefined
}

/** `parse` answers undefined for what is not accepted; the message is made from `accepts`. */
export const VARIABLES = {
  TIDEMARK_PORT: {
    summary: 'Port to listen on.',
    accepts: 'a whole number from 1 to 65535 (0 picks a free port)',
    default: String(DEFAULT_PORT),
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
    summary: 'Address people and programs reach the service at. With https, MCP connectors can sign in with OAuth.',
    accepts: 'an http or https address without query',
    otherwise: 'http://localhost:<port>',
    parse: baseUrl,
  },
  TIDEMARK_INGEST_URL: {
    summary: 'Base address for ingest, shown in snippets.',
    accepts: 'an http or https address without query',
    otherwise: 'the public URL',
    parse: baseUrl,
  },
  TIDEMARK_MCP_URL: {
    summary: 'Base address for MCP, shown in snippets.',
    accepts: 'an http or https address without query',
    otherwise: 'the public URL',
    parse: baseUrl,
  },
  TIDEMARK_MCP_CALLS_PER_MINUTE: {
    summary:
      'Calls that one read key may make in a minute, over MCP and the reading API together, on each node. The next gets 429 with `Retry-After`.',
    accepts: `a whole number from 1 to ${MAX_KEY_LIMITS.callsPerMinute}`,
    default: String(KEY_LIMITS.callsPerMinute),
    parse: whole(1, MAX_KEY_LIMITS.callsPerMinute),
  },
  TIDEMARK_MCP_CALLS_AT_ONCE: {
    summary: 'Calls that one read key may have under way at once, counted in the same way.',
    accepts: `a whole number from 1 to ${MAX_KEY_LIMITS.atOnce}`,
    default: String(KEY_LIMITS.atOnce),
    parse: whole(1, MAX_KEY_LIMITS.atOnce),
  },
  TIDEMARK_ALLOWED_HOSTS: {
    summary: 'More `Host` header names to accept, besides loopback names and the hosts of the addresses above.',
    accepts: 'host names separated by commas, without scheme or port',
    otherwise: 'none',
    parse: hostList,
  },
  TIDEMARK_TRUSTED_PROXIES: {
    summary:
      'Reverse proxies whose `X-Forwarded-For` is believed: sign-ins are then limited per visitor, not per proxy. Their connections are not limited per address.',
    accepts: 'IP addresses and ranges such as 10.0.0.0/8, separated by commas',
    otherwise: 'none',
    parse: addressList,
  },
  TIDEMARK_CLICKHOUSE_URL: {
    summary: 'Keeps logs in this ClickHouse server instead of the embedded engine.',
    accepts: 'an http or https address such as http://user:password@host:8123/database',
    otherwise: 'embedded engine',
    secret: true,
    parse: serverUrl('http:', 'https:'),
  },
  TIDEMARK_CLICKHOUSE_CLUSTER: {
    summary: 'Name of the ClickHouse cluster for replicated and distributed tables.',
    accepts: 'letters, digits, `_` and `-`',
    otherwise: 'none',
    parse: matching(/^[A-Za-z0-9_-]{1,64}$/),
  },
  TIDEMARK_DATABASE_URL: {
    summary: 'Keeps projects, keys, deploys and analyses in this PostgreSQL database instead of SQLite.',
    accepts: 'an address such as postgres://user:password@host:5432/database',
    otherwise: 'SQLite in the data folder',
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
    accepts: `a whole number from 1 to ${MAX_RETENTION_DAYS}`,
    default: '30',
    parse: whole(1, MAX_RETENTION_DAYS),
  },
  TIDEMARK_SECRET_KEY: {
    summary:
      'Signs cursors and encrypts secrets at rest. Required with `TIDEMARK_DATABASE_URL`, the same on every node.',
    accepts: 'at least 32 characters',
    otherwise: 'made once, kept in the data folder',
    secret: true,
    parse: atLeast(32),
  },
  TIDEMARK_OWNER_PASSWORD: {
    summary: 'Makes the account owner@localhost with this password at the first start, without a person.',
    accepts: `${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters, not one of the first that anybody would try`,
    otherwise: 'none',
    secret: true,
    // The rest is checked where the account is made: a start that needs it no more is not refused for it.
    parse: atLeast(MIN_PASSWORD_CHARACTERS),
  },
  TIDEMARK_METRICS_TOKEN: {
    summary:
      'Bearer token for `/metrics`. Without it `/metrics` answers on a loopback binding only, and there only requests sent straight to a loopback name, not those through a proxy.',
    accepts: 'at least 16 characters',
    otherwise: 'none',
    secret: true,
    parse: atLeast(16),
  },
  TIDEMARK_SYSLOG_PORT: {
    summary: 'Port to take [syslog](senders.md#syslog) on, at the address of `TIDEMARK_HOST`.',
    accepts: 'a whole number from 1 to 65535 (0 picks a free port)',
    otherwise: 'syslog is off',
    parse: whole(0, 65_535),
  },
  TIDEMARK_SYSLOG_KEY: {
    summary:
      'Ingest key for what comes in on that port without a key of its own. Anyone who can reach the port can then send.',
    accepts: `an ingest key (${keyPrefix('ingest')}…)`,
    otherwise: 'every message needs its own key',
    secret: true,
    parse: matching(new RegExp(`^${keyPrefix('ingest')}[${KEY_ALPHABET}]{${KEY_CHARACTERS}}$`)),
  },
  TIDEMARK_SYSLOG_TLS_CERT: {
    summary: 'Certificate of that port, with those between it and the root: the port then speaks TLS only.',
    accepts: 'certificates in PEM (usually as `TIDEMARK_SYSLOG_TLS_CERT_FILE`)',
    otherwise: 'plain TCP',
    secret: true,
    parse: pem('CERTIFICATE'),
  },
  TIDEMARK_SYSLOG_TLS_KEY: {
    summary: 'The private key that belongs to it.',
    accepts: 'a private key in PEM (usually as `TIDEMARK_SYSLOG_TLS_KEY_FILE`)',
    otherwise: 'none',
    secret: true,
    parse: pem('(?:[A-Z]+ )?PRIVATE KEY'),
  },
  TIDEMARK_SYSLOG_TLS_CA: {
    summary:
      'Authority of client certificates. With it only clients with a certificate that it signed are let in; one whose common name is the id of an ingest key (`key_…`) sends with that key.',
    accepts: 'certificates in PEM (usually as `TIDEMARK_SYSLOG_TLS_CA_FILE`)',
    otherwise: 'clients need no certificate',
    secret: true,
    parse: pem('CERTIFICATE'),
  },
  TIDEMARK_ALLOW_LOCAL_REPOSITORIES: {
    summary: 'Lets repositories be connected by file path or at private addresses.',
    accepts: '`true` or `false`',
    default: 'false',
    parse: flag,
  },
  TIDEMARK_ALLOW_LOCAL_WEBHOOKS: {
    summary: 'Lets alerts go to webhooks at private addresses, and over plain http.',
    accepts: '`true` or `false`',
    default: 'false',
    parse: flag,
  },
  TIDEMARK_SMTP_URL: {
    summary: 'Mail server for alerts by e-mail. Needs `TIDEMARK_MAIL_FROM` too.',
    accepts: 'an address such as smtps://user:password@host:465 or smtp://host:587',
    otherwise: 'no alerts by e-mail',
    secret: true,
    parse: serverUrl('smtp:', 'smtps:'),
  },
  TIDEMARK_MAIL_FROM: {
    summary: 'Sender of alerts by e-mail.',
    accepts: 'an e-mail address such as tidemark@example.com',
    otherwise: 'no alerts by e-mail',
    parse: matching(EMAIL_ADDRESS),
  },
  TIDEMARK_LOG_LEVEL: {
    summary: "The service's own log, JSON lines on standard error.",
    accepts: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: oneOf(LOG_LEVELS),
  },
} as const satisfies Record<string, Variable<unknown>>

/** As Amazon's own tools name them. Read by `tidemark backup` and `tidemark restore` with a bucket, not by the service. */
export const BUCKET_VARIABLES = {
  AWS_ACCESS_KEY_ID: {
    summary: 'The key that may read and write the bucket.',
    accepts: 'an access key',
    parse: matching(/^[\x21-\x7e]{1,256}$/),
  },
  AWS_SECRET_ACCESS_KEY: {
    summary: 'The secret that belongs to it.',
    accepts: 'a secret key',
    secret: true,
    parse: matching(/^[\x21-\x7e]{1,1024}$/),
  },
  AWS_SESSION_TOKEN: {
    summary: 'The token of temporary credentials.',
    accepts: 'a token',
    otherwise: 'none',
    secret: true,
    parse: matching(/^[\x21-\x7e]{1,16384}$/),
  },
  AWS_REGION: {
    summary: 'Where the bucket is. `AWS_DEFAULT_REGION` is read too.',
    accepts: 'the name of a region such as eu-central-1, or what your server calls its own',
    default: 'us-east-1',
    parse: matching(/^[A-Za-z0-9-]{1,64}$/),
  },
  AWS_ENDPOINT_URL_S3: {
    summary:
      'The server of the bucket: MinIO, Garage, Ceph, R2 and others. The bucket is then named in the path. `AWS_ENDPOINT_URL` is read too.',
    accepts: 'an http or https address without query',
    otherwise: 'Amazon S3 in that region',
    parse: baseUrl,
  },
} as const satisfies Record<string, Variable<unknown>>

/** Read by the SDK, by CLI commands that talk to a service and by CI steps, not by the service. */
export const CLIENT_VARIABLES: ReadonlySet<string> = new Set([
  'TIDEMARK_URL',
  'TIDEMARK_INGEST_KEY',
  'TIDEMARK_READ_KEY',
  'TIDEMARK_SERVICE',
  'TIDEMARK_ENV',
  'TIDEMARK_RELEASE',
  'TIDEMARK_REPOSITORY_TOKEN',
  'TIDEMARK_ENVIRONMENT',
  'TIDEMARK_SHA',
  'TIDEMARK_REF',
  'TIDEMARK_STATUS',
  'TIDEMARK_MESSAGE',
  'TIDEMARK_AUTHOR',
  'TIDEMARK_EXTERNAL_ID',
  'TIDEMARK_DEPLOYED_AT',
  'TIDEMARK_RUN_URL',
  'TIDEMARK_WAIT',
  'TIDEMARK_FAIL_ON',
  'TIDEMARK_HEAD_SHA',
  'TIDEMARK_HEAD_MESSAGE',
  'TIDEMARK_HEAD_AUTHOR',
  'TIDEMARK_FOLDER',
])

function roleList(text: string): Role[] | undefined {
  const names = text.split(',').map((name) => name.trim())
  const roles = ROLES.filter((role) => names.includes(role))
  return roles.length === new Set(names).size ? roles : undefined
}
