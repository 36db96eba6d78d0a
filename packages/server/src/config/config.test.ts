import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Config, ConfigError, loadBucketAccess, loadConfig, unknownVariables } from './config.ts'
import { VARIABLES } from './variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidemark-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SECRET = 'x'.repeat(32)

function mistakesOf(env: Record<string, string>, load: (env: Record<string, string>) => unknown = loadConfig) {
  try {
    load(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

describe('without any variable', () => {
  it('everything has its default', () => {
    expect(loadConfig({})).toEqual({
      syslog: undefined,
      http: {
        port: 4700,
        host: '127.0.0.1',
        publicUrl: 'http://localhost:4700',
        ingestUrl: 'http://localhost:4700',
        mcpUrl: 'http://localhost:4700',
        allowedHosts: [],
        trustedProxies: [],
        metricsToken: undefined,
      },
      storage: {
        dataDir: resolve('data'),
        databaseUrl: undefined,
        clickhouseUrl: undefined,
        clickhouseCluster: undefined,
        retentionDays: 30,
      },
      accounts: { secretKey: undefined, ownerPassword: undefined },
      keyLimits: { callsPerMinute: 600, atOnce: 8 },
      repository: { allowLocal: false },
      alerts: { allowLocal: false, mail: null },
      roles: ['ingest', 'web', 'mcp', 'worker'],
      logLevel: 'info',
    })
  })

  it('an empty value counts as not set', () => {
    const empty = Object.fromEntries(
      Object.keys(VARIABLES).flatMap((name) => [
        [name, ''],
        [`${name}_FILE`, ''],
      ]),
    )
    expect(loadConfig(empty)).toEqual(loadConfig({}))
  })
})

describe('a variable', () => {
  it.each<[string, string, (config: Config) => unknown, unknown]>([
    ['TIDEMARK_PORT', '0', (config) => config.http.port, 0],
    ['TIDEMARK_PORT', '65535', (config) => config.http.publicUrl, 'http://localhost:65535'],
    ['TIDEMARK_HOST', '::1', (config) => config.http.host, '::1'],
    ['TIDEMARK_HOST', 'localhost', (config) => config.http.host, 'localhost'],
    ['TIDEMARK_DATA_DIR', 'here/../there', (config) => config.storage.dataDir, resolve('there')],
    ['TIDEMARK_PUBLIC_URL', 'https://logs.example.com/', (config) => config.http.mcpUrl, 'https://logs.example.com'],
    [
      'TIDEMARK_PUBLIC_URL',
      'https://example.com/logs//',
      (config) => config.http.publicUrl,
      'https://example.com/logs',
    ],
    ['TIDEMARK_INGEST_URL', 'http://in.example.com', (config) => config.http.ingestUrl, 'http://in.example.com'],
    ['TIDEMARK_MCP_URL', 'http://mcp.example.com:81', (config) => config.http.mcpUrl, 'http://mcp.example.com:81'],
    [
      'TIDEMARK_ALLOWED_HOSTS',
      'A.example, [::2],10.0.0.7',
      (config) => config.http.allowedHosts,
      ['a.example', '[::2]', '10.0.0.7'],
    ],
    [
      'TIDEMARK_CLICKHOUSE_URL',
      'http://u:p@ch:8123/logs',
      (config) => config.storage.clickhouseUrl,
      'http://u:p@ch:8123/logs',
    ],
    [
      'TIDEMARK_TRUSTED_PROXIES',
      '10.0.0.0/8, 192.0.2.7,fd00::/8',
      (config) => config.http.trustedProxies,
      ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'],
    ],
    ['TIDEMARK_ROLES', 'worker, ingest', (config) => config.roles, ['ingest', 'worker']],
    ['TIDEMARK_RETENTION_DAYS', '3650', (config) => config.storage.retentionDays, 3650],
    ['TIDEMARK_MCP_CALLS_PER_MINUTE', '6000', (config) => config.keyLimits.callsPerMinute, 6000],
    ['TIDEMARK_MCP_CALLS_AT_ONCE', '32', (config) => config.keyLimits.atOnce, 32],
    ['TIDEMARK_SECRET_KEY', SECRET, (config) => config.accounts.secretKey, SECRET],
    ['TIDEMARK_OWNER_PASSWORD', 'eight ch', (config) => config.accounts.ownerPassword, 'eight ch'],
    ['TIDEMARK_METRICS_TOKEN', '1234567890123456', (config) => config.http.metricsToken, '1234567890123456'],
    ['TIDEMARK_ALLOW_LOCAL_REPOSITORIES', 'TRUE', (config) => config.repository.allowLocal, true],
    ['TIDEMARK_ALLOW_LOCAL_REPOSITORIES', 'off', (config) => config.repository.allowLocal, false],
    ['TIDEMARK_LOG_LEVEL', 'silent', (config) => config.logLevel, 'silent'],
  ])('%s takes %s', (name, text, read, value) => {
    expect(read(loadConfig({ [name]: text }))).toEqual(value)
  })

  it('of a group is taken with the others of its group', () => {
    const config = loadConfig({
      TIDEMARK_DATABASE_URL: 'postgres://u:p@db/tidemark',
      TIDEMARK_SECRET_KEY: SECRET,
      TIDEMARK_CLICKHOUSE_URL: 'https://ch.example.com',
      TIDEMARK_CLICKHOUSE_CLUSTER: 'main_1',
      TIDEMARK_HOST: '0.0.0.0',
      TIDEMARK_PUBLIC_URL: 'https://logs.example.com',
    })
    expect(config.storage).toMatchObject({ databaseUrl: 'postgres://u:p@db/tidemark', clickhouseCluster: 'main_1' })
    expect(config.http).toMatchObject({ host: '0.0.0.0', ingestUrl: 'https://logs.example.com' })
  })

  it('takes a database that is reached through a socket in a folder', () => {
    const address = 'postgres://ada@/logs?host=/var/run/postgresql'
    const config = loadConfig({ TIDEMARK_DATABASE_URL: address, TIDEMARK_SECRET_KEY: SECRET })
    expect(config.storage.databaseUrl).toBe(address)
  })

  it.each<[string, string[]]>([
    ['TIDEMARK_PORT', ['65536', '-1', '80.5', '0x50', '1e3', ' 80', 'http']],
    ['TIDEMARK_HOST', ['http://localhost', 'a b', 'host/path', 'x'.repeat(254)]],
    [
      'TIDEMARK_PUBLIC_URL',
      [
        'logs.example.com',
        'ftp://x',
        'https://x?a=b',
        'https://x#a',
        'https://ada@x',
        'https://:secret@x',
        'javascript:1',
      ],
    ],
    ['TIDEMARK_INGEST_URL', ['no address']],
    ['TIDEMARK_MCP_URL', ['//x']],
    ['TIDEMARK_ALLOWED_HOSTS', ['https://x', 'x:80', 'a,,b', '*', 'a b']],
    ['TIDEMARK_TRUSTED_PROXIES', ['true', '*', '10.0.0', '10.0.0.0/33', '10.0.0.0/0', '::1/129', '10.0.0.1/8/8', 'a,']],
    ['TIDEMARK_CLICKHOUSE_URL', ['clickhouse://x', 'x:8123']],
    ['TIDEMARK_DATABASE_URL', ['mysql://x', 'file:x.db']],
    ['TIDEMARK_CLICKHOUSE_CLUSTER', ['a b', "a'", 'x'.repeat(65)]],
    ['TIDEMARK_ROLES', ['ingest,cook', 'all', 'Ingest', 'ingest,']],
    ['TIDEMARK_RETENTION_DAYS', ['0', '3651', '1.5', 'forever']],
    ['TIDEMARK_MCP_CALLS_PER_MINUTE', ['0', '1000001', '60s']],
    ['TIDEMARK_MCP_CALLS_AT_ONCE', ['0', '1001', '-1']],
    ['TIDEMARK_SECRET_KEY', ['x'.repeat(31)]],
    ['TIDEMARK_OWNER_PASSWORD', ['1234567']],
    ['TIDEMARK_METRICS_TOKEN', ['123456789012345']],
    ['TIDEMARK_ALLOW_LOCAL_REPOSITORIES', ['maybe', '2']],
    ['TIDEMARK_LOG_LEVEL', ['INFO', 'verbose', '30']],
  ])('%s refuses anything else and says what it takes', (name, texts) => {
    for (const text of texts) {
      const { accepts } = VARIABLES[name as keyof typeof VARIABLES]
      expect(mistakesOf({ [name]: text })[0], text).toContain(`${name} must be ${accepts}`)
    }
  })
})

describe('mistakes', () => {
  it('are reported all together', () => {
    const mistakes = mistakesOf({ TIDEMARK_PORT: 'x', TIDEMARK_ROLES: 'cook', TIDEMARK_CLICKHOUSE_CLUSTER: 'main' })
    expect(mistakes).toEqual([
      'TIDEMARK_PORT must be a whole number from 1 to 65535 (0 picks a free port); got "x".',
      'TIDEMARK_ROLES must be a comma-separated choice of ingest, web, mcp, worker; got "cook".',
      'TIDEMARK_CLICKHOUSE_CLUSTER needs TIDEMARK_CLICKHOUSE_URL: the embedded engine has no cluster.',
    ])
    expect(() => loadConfig({ TIDEMARK_PORT: 'x', TIDEMARK_ROLES: 'cook' })).toThrow(
      'has 2 mistakes:\n  - TIDEMARK_PORT',
    )
    expect(() => loadConfig({ TIDEMARK_PORT: 'x' })).toThrow('has a mistake:\n  - TIDEMARK_PORT')
  })

  it('never show a secret, neither of a secret variable nor within an address', () => {
    const secretNames = Object.entries(VARIABLES).flatMap(([name, variable]) => ('secret' in variable ? [name] : []))
    expect(secretNames).toEqual(
      expect.arrayContaining(['TIDEMARK_SECRET_KEY', 'TIDEMARK_OWNER_PASSWORD', 'TIDEMARK_METRICS_TOKEN']),
    )
    const env = Object.fromEntries(secretNames.map((name) => [name, 'hunter2']))
    const shown = mistakesOf({
      ...env,
      TIDEMARK_PUBLIC_URL: 'https://ada:hunter2@x',
      TIDEMARK_INGEST_URL: 'https://hunter2/hunter2@x?q',
      TIDEMARK_MCP_URL: 'ftp://ada:p@ss/hunter2@x',
    }).join('\n')
    expect(shown).toContain('TIDEMARK_PUBLIC_URL')
    expect(shown).toContain('TIDEMARK_SECRET_KEY')
    expect(shown).not.toContain('hunter2')
  })

  it('quote at most the beginning of what was given, with control characters escaped', () => {
    const [mistake = ''] = mistakesOf({ TIDEMARK_LOG_LEVEL: `\u001b[31m${'x'.repeat(500)}` })
    expect(mistake).toContain('"\\u001b[31mxxx')
    expect(mistake.length).toBeLessThan(250)
  })

  it.each([
    [
      'a reachable address without a public one',
      { TIDEMARK_HOST: '0.0.0.0' },
      'TIDEMARK_PUBLIC_URL must say under which address',
    ],
    [
      'a database without a secret key',
      { TIDEMARK_DATABASE_URL: 'postgres://db/x' },
      'TIDEMARK_DATABASE_URL needs TIDEMARK_SECRET_KEY',
    ],
    [
      'a cluster without a server',
      { TIDEMARK_CLICKHOUSE_CLUSTER: 'c' },
      'TIDEMARK_CLICKHOUSE_CLUSTER needs TIDEMARK_CLICKHOUSE_URL',
    ],
  ])('include %s', (_, env: Record<string, string>, sentence) => {
    expect(mistakesOf(env)).toEqual([expect.stringContaining(sentence)])
  })
})

describe('a variable that ends in _FILE', () => {
  const path = join(folder, 'value')

  it('names a file that holds the value, with or without a line end', () => {
    for (const text of [SECRET, `${SECRET}\n`, `${SECRET}\r\n`]) {
      writeFileSync(path, text)
      expect(loadConfig({ TIDEMARK_SECRET_KEY_FILE: path }).accounts.secretKey).toBe(SECRET)
    }
  })

  it('exists for every variable', () => {
    writeFileSync(path, 'x'.repeat(300))
    const silent = Object.keys(VARIABLES).filter(
      (name) => mistakesOf({ [name]: 'y', [`${name}_FILE`]: path }).length === 0,
    )
    expect(silent).toEqual([])
  })

  it('must not stand beside the variable itself', () => {
    writeFileSync(path, SECRET)
    const env = { TIDEMARK_SECRET_KEY: SECRET, TIDEMARK_SECRET_KEY_FILE: path }
    expect(mistakesOf(env)).toEqual(['TIDEMARK_SECRET_KEY and TIDEMARK_SECRET_KEY_FILE are both set: keep one.'])
  })

  it('must be readable', () => {
    const missing = join(folder, 'missing')
    expect(mistakesOf({ TIDEMARK_PORT_FILE: missing })).toEqual([
      `TIDEMARK_PORT_FILE names ${JSON.stringify(missing)}, which cannot be read (ENOENT).`,
    ])
    expect(mistakesOf({ TIDEMARK_PORT_FILE: folder })[0]).toContain('(EISDIR)')
  })

  it('is judged like the variable and shows a secret as little', () => {
    writeFileSync(path, 'hunter2\n')
    const [mistake] = mistakesOf({ TIDEMARK_METRICS_TOKEN_FILE: path })
    expect(mistake).toBe('TIDEMARK_METRICS_TOKEN must be at least 16 characters.')
  })
})

describe('the configuration', () => {
  it('cannot be changed afterwards', () => {
    const config = loadConfig({ TIDEMARK_ALLOWED_HOSTS: 'a.example' })
    const writable = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && (!Object.isFrozen(value) || Object.values(value).some(writable))
    expect(writable(config)).toBe(false)
    expect(() => Object.assign(config.http, { port: 1 })).toThrow(TypeError)
  })

  it('knows which variables with our prefix mean nothing', () => {
    const env = {
      TIDEMARK_PORT: '1',
      TIDEMARK_PORT_FILE: 'x',
      TIDEMARK_PROT: '1',
      TIDEMARK_FILE: 'x',
      TIDEMARK_INGEST_KEY: 'for the SDK',
      OTHER: 'x',
    }
    expect(unknownVariables(env)).toEqual(['TIDEMARK_PROT', 'TIDEMARK_FILE'])
  })
})

describe('syslog', () => {
  const PORT = { TIDEMARK_SYSLOG_PORT: '6514' }
  const CERT = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'
  const KEY = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'

  it('is on with a port, and has what is set for it', () => {
    const key = `tidemark_ingest_${'a'.repeat(36)}`
    expect(loadConfig({ ...PORT, TIDEMARK_SYSLOG_KEY: key }).syslog).toEqual({ port: 6514, key, tls: undefined })
    const tls = { TIDEMARK_SYSLOG_TLS_CERT: CERT, TIDEMARK_SYSLOG_TLS_KEY: KEY }
    expect(loadConfig({ ...PORT, ...tls }).syslog?.tls).toEqual({ cert: CERT, key: KEY, ca: undefined })
  })

  it.each([
    [{ TIDEMARK_SYSLOG_PORT: '70000' }, /TIDEMARK_SYSLOG_PORT must be a whole number/],
    [{ TIDEMARK_SYSLOG_PORT: '4700' }, /syslog needs a port of its own/],
    [{ ...PORT, TIDEMARK_SYSLOG_KEY: `tidemark_read_${'a'.repeat(36)}` }, /TIDEMARK_SYSLOG_KEY must be an ingest key/],
    [{ TIDEMARK_SYSLOG_KEY: `tidemark_ingest_${'a'.repeat(36)}` }, /need TIDEMARK_SYSLOG_PORT/],
    [{ ...PORT, TIDEMARK_SYSLOG_TLS_CERT: CERT }, /belong together/],
    [{ ...PORT, TIDEMARK_SYSLOG_TLS_CA: CERT }, /needs TIDEMARK_SYSLOG_TLS_CERT/],
    [
      { ...PORT, TIDEMARK_SYSLOG_TLS_CERT: '/etc/cert.pem', TIDEMARK_SYSLOG_TLS_KEY: KEY },
      /usually as `TIDEMARK_SYSLOG_TLS_CERT_FILE`/,
    ],
  ])('with a mistake says how to mend it: %j', (env, told) => {
    const mistakes = mistakesOf(env as Record<string, string>).join('\n')
    expect(mistakes).toMatch(told)
    expect(mistakes).not.toMatch(/aaaa|MIIB/)
  })
})

describe('a bucket for backups', () => {
  const KEYS = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'hunter2/+' }
  const mistakesIn = (env: Record<string, string>) => mistakesOf(env, loadBucketAccess).join('\n')

  it('is reached by the usual variables', () => {
    expect(loadBucketAccess(KEYS)).toEqual({
      accessKeyId: 'AKID',
      secretAccessKey: 'hunter2/+',
      sessionToken: undefined,
      region: 'us-east-1',
      endpoint: undefined,
    })
    const all = {
      ...KEYS,
      AWS_SESSION_TOKEN: 'token',
      AWS_REGION: 'eu-central-1',
      AWS_DEFAULT_REGION: 'other',
      AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000/',
      AWS_ENDPOINT_URL: 'http://other',
    }
    expect(loadBucketAccess(all)).toMatchObject({
      sessionToken: 'token',
      region: 'eu-central-1',
      endpoint: 'http://127.0.0.1:9000',
    })
    const others = { ...KEYS, AWS_DEFAULT_REGION: 'garage', AWS_ENDPOINT_URL: 'https://s3.example/base' }
    expect(loadBucketAccess(others)).toMatchObject({ region: 'garage', endpoint: 'https://s3.example/base' })
  })

  it('is reached by files that hold them', () => {
    const path = join(folder, 'aws-secret')
    writeFileSync(path, 'from-a-file\n')
    const env = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY_FILE: path }
    expect(loadBucketAccess(env).secretAccessKey).toBe('from-a-file')
  })

  it('does not concern the service, whatever stands in those variables', () => {
    expect(() => loadConfig({ AWS_REGION: '?', AWS_ENDPOINT_URL: 'ftp://x' })).not.toThrow()
  })

  it.each([
    [{}, /A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
    [{ AWS_ACCESS_KEY_ID: 'AKID' }, /A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
    [{ ...KEYS, AWS_SECRET_ACCESS_KEY: 'hunter2 ' }, /AWS_SECRET_ACCESS_KEY must be a secret key\.$/],
    [{ ...KEYS, AWS_REGION: 'eu central' }, /AWS_REGION must be the name of a region .*; got "eu central"/],
    [{ ...KEYS, AWS_ENDPOINT_URL: 'localhost:9000' }, /AWS_ENDPOINT_URL must be an http or https address/],
    [
      { ...KEYS, AWS_ENDPOINT_URL_S3: 'https://me:hunter2@s3.example' },
      /AWS_ENDPOINT_URL_S3 must be .*; got "https:\/\/…@s3/,
    ],
    [{ ...KEYS, AWS_SECRET_ACCESS_KEY_FILE: '/x' }, /AWS_SECRET_ACCESS_KEY_FILE are both set: keep one/],
  ])('with a mistake says how to mend it, and tells no secret: %j', (env, told) => {
    expect(mistakesIn(env as Record<string, string>)).toMatch(told)
    expect(mistakesIn(env as Record<string, string>)).not.toContain('hunter2')
  })
})
