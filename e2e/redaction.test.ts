import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { engineRows } from './support/service/engine-query.ts'
import { createProject, type TestProject, withControl } from './support/service/ingest-project.ts'
import { type Service, startService } from './support/service/service.ts'
import { settled } from './support/service/settled.ts'

/** Made up at run time, so that no scanner finds a secret in this file and each run looks for its own. */
const letters = (count: number) =>
  Array.from(randomBytes(count), (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32]).join('')
const mixed = (count: number) => `${letters(count - 4).toLowerCase()}Q7z9`
const part = (text: string) => Buffer.from(text).toString('base64url')

const SECRETS = {
  aws: `AK${'IA'}${letters(16)}`,
  github: `gh${'p_'}${mixed(36)}`,
  slack: `xo${'xb-'}${'1234567890'}-${mixed(24)}`,
  stripe: `sk_${'live_'}${mixed(24)}`,
  jwt: `${part('{"alg":"HS256"}')}.${part(`{"sub":"${mixed(12)}"}`)}.${mixed(43)}`,
  url: mixed(14),
  password: mixed(12),
  bearer: mixed(32),
  token: mixed(28),
  cookie: mixed(20),
  nested: mixed(16),
  pem: `${mixed(60)}\n${mixed(60)}`,
  card: ['4111', '1111', '1111', '1111'].join(' '),
  own: `tidemark_${'ingest_'}${mixed(36)}`,
  escaped: mixed(13),
  user: mixed(15),
  traceId: `gh${'p_'}${mixed(36)}`,
  spanId: mixed(22),
  name: `gh${'o_'}${mixed(36)}`,
  cookieText: mixed(18),
  setCookie: mixed(19),
  parsedCookie: mixed(17),
  errorField: mixed(21),
}

const pem = ['-----BEGIN ', 'PRIVATE KEY-----\n', SECRETS.pem, '\n-----END ', 'PRIVATE KEY-----'].join('')
const STACK = [
  `Error: cannot log in with ${SECRETS.github}`,
  `    at connect (/srv/shop/src/db.ts:7:3)`,
  `    at main (https://deploy:${SECRETS.url}@git.example.com/app.js:1:1)`,
].join('\n')

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'

const RECORDS = [
  { message: `uploading with ${SECRETS.aws} and ${SECRETS.slack}` },
  { message: `connecting to postgres://shop:${SECRETS.url}@db:5432/shop`, service: `shop ${SECRETS.stripe}` },
  { message: `loaded ${pem} from disk` },
  {
    message: `POST /login?user=ada&password=${SECRETS.password}&next=%2F`,
    attributes: { session: SECRETS.jwt, ticket: SECRETS.jwt },
  },
  {
    message: 'request',
    attributes: { headers: { Authorization: `Bearer ${SECRETS.bearer}`, cookie: SECRETS.cookie } },
  },
  {
    message: 'settings',
    attributes: { db: { pool: { client_secret: SECRETS.nested } }, note: `token: ${SECRETS.token}` },
  },
  { message: 'a list', attributes: { lines: ['fine', `api_key=${SECRETS.token}`], cards: [{ number: SECRETS.card }] } },
  { message: `paid with ${SECRETS.card}`, error: { type: 'Error', message: `no ${SECRETS.stripe}`, stack: STACK } },
  { message: `our own ${SECRETS.own}`, apiKey: SECRETS.token, refreshToken: SECRETS.nested },
  { message: STACK, level: 'error' },
  { message: `sent ${JSON.stringify({ body: JSON.stringify({ password: `a"${SECRETS.escaped}`, user: 'ada' }) })}` },
  { message: `cloning https://${SECRETS.user}@git.example.com/a.git, not ssh://git@git.example.com/b.git` },
  { message: 'ids', traceId: SECRETS.traceId, spanId: `token=${SECRETS.spanId}`, attributes: { [SECRETS.name]: 1 } },
  { message: 'plain ids', traceId: TRACE_ID, spanId: '4111111111111111' },
  {
    message: `> Cookie: theme=dark; sid=${SECRETS.cookieText}\n< Set-Cookie: sid=${SECRETS.setCookie}; Path=/; HttpOnly`,
  },
  { message: 'parsed', attributes: { request: { cookies: { sid: SECRETS.parsedCookie } } } },
  { message: 'declined', error: { type: 'Error', message: `{"step":"login","cvv":"${SECRETS.errorField}"}` } },
]

const OTLP = {
  resourceLogs: [
    {
      resource: { attributes: [text('service.name', 'shop'), text('db.password', SECRETS.password)] },
      scopeLogs: [
        {
          logRecords: [
            { body: { stringValue: `otlp ${SECRETS.github}` } },
            { body: { kvlistValue: { values: [text('message', 'otlp object'), text('token', SECRETS.token)] } } },
            {
              body: {
                kvlistValue: { values: [text('event', 'x'), text('authorization', `Bearer ${SECRETS.bearer}`)] },
              },
            },
            { body: { stringValue: 'otlp' }, attributes: [text('exception.stacktrace', STACK)] },
          ],
        },
      ],
    },
  ],
}

let service: Service
let project: TestProject
let stored: string
/** Every file of the data folder, right after the answer and again when all is loaded. */
let beforeLoading: Map<string, Buffer>
let afterLoading: Map<string, Buffer>

beforeAll(async () => {
  service = await startService({ env: { TIDEMARK_LOG_LEVEL: 'trace' } })
  project = await createProject(service, 'careless')
  const statuses = [await send(RECORDS)]
  // At once: it is loaded and gone half a second later.
  const spool = filesOfNodes('spool')
  statuses.push(await send(OTLP))
  beforeLoading = filesOfNodes()
  for (const [name, bytes] of spool) beforeLoading.set(`spool/first/${name}`, bytes)
  expect(statuses).toEqual([200, 200])
  await settled(service)
  afterLoading = filesOfNodes()
  const rows = await engineRows(service.dataDir, `SELECT * FROM logs WHERE project = '${project.id}' LIMIT 100`)
  expect(rows).toHaveLength(RECORDS.length + 4)
  stored = JSON.stringify(rows)
})

describe('a secret', () => {
  it.each(Object.entries(SECRETS))('of the kind %s is in no file of the data folder at any time', (_, secret) => {
    for (const files of [beforeLoading, afterLoading]) {
      const found = [...files].filter(([, bytes]) => forms(secret).some((form) => bytes.includes(form)))
      expect(found.map(([name]) => name)).toEqual([])
    }
  })

  it.each(Object.entries(SECRETS))('of the kind %s is not in the engine, which packs its files', (_, secret) => {
    for (const form of forms(secret)) expect(stored).not.toContain(JSON.stringify(form).slice(1, -1))
  })

  it('is not in what the service prints, however talkative it is', () => {
    for (const secret of [...Object.values(SECRETS), project.ingestKey]) expect(service.output()).not.toContain(secret)
  })

  it('is looked for where it would be found: the spool holds the records as they will be stored', () => {
    const spool = [...beforeLoading].filter(([name]) => name.startsWith('spool/')).map(([, bytes]) => bytes)
    expect(Buffer.concat(spool).toString()).toContain('uploading with [REDACTED:aws-access-key]')
  })
})

describe('what is left of it', () => {
  it('names the rule, and the text around it stays', () => {
    for (const text of [
      'uploading with [REDACTED:aws-access-key] and [REDACTED:slack-token]',
      'connecting to postgres://shop:[REDACTED:url-credentials]@db:5432/shop',
      'loaded [REDACTED:private-key] from disk',
      'POST /login?user=ada&password=[REDACTED:password]&next=%2F',
      'Error: cannot log in with [REDACTED:github-token]\\n    at connect (/srv/shop/src/db.ts:7:3)',
      'paid with [REDACTED:card-number]',
      'our own [REDACTED:tidemark-key]',
      '"headers.Authorization":"[REDACTED:field]"',
      '"db.pool.client_secret":"[REDACTED:field]"',
      '"db.password":"[REDACTED:field]"',
      '"body.token":"[REDACTED:field]"',
      '"session":"[REDACTED:field]"',
      '"ticket":"[REDACTED:jwt]"',
      'https://[REDACTED:url-credentials]@git.example.com/a.git, not ssh://git@git.example.com/b.git',
      '> Cookie: [REDACTED:cookie]\\n< Set-Cookie: [REDACTED:cookie]',
      '"trace_id":"[REDACTED:github-token]"',
      '"[REDACTED:github-token]":"1"',
      `"trace_id":"${TRACE_ID}"`,
      '"span_id":"4111111111111111"',
    ]) {
      expect(stored).toContain(text)
    }
  })

  it('is counted by rule, for the project', async () => {
    const counts = await withControl(service, (control) => control.usage.redactions(project.id))
    const byRule = Object.fromEntries(counts.map(({ rule, redactions }) => [rule, redactions]))
    expect(byRule).toMatchObject({
      'aws-access-key': 1,
      'slack-token': 1,
      'private-key': 1,
      'tidemark-key': 1,
      jwt: 1,
    })
    expect(byRule.field).toBeGreaterThanOrEqual(6)
    expect(byRule['github-token']).toBeGreaterThanOrEqual(4)
  })
})

function text(key: string, stringValue: string) {
  return { key, value: { stringValue } }
}

/** A secret of several lines would be found by any of them. */
function forms(secret: string): string[] {
  return secret.split('\n')
}

async function send(body: unknown): Promise<number> {
  const response = await fetch(`${service.url}/v1/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${project.ingestKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

/** Those of every node, each by its path in the data folder; what two nodes have under one name stands there twice. */
function filesOfNodes(folder = ''): Map<string, Buffer> {
  const all = service.nodes.flatMap((node, index) =>
    [...filesBelow(join(node.dataDir, folder))].map(
      ([name, bytes]) => [index === 0 ? name : `${name} of ${index}`, bytes] as const,
    ),
  )
  return new Map(all)
}

function filesBelow(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    try {
      const path = join(folder, name)
      if (statSync(path).isFile()) files.set(name, readFileSync(path))
    } catch (error) {
      // The engine removes its temporary files whenever it likes.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return files
}
