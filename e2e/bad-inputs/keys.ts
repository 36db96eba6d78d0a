/** Keys that open nothing, in every place a key can be. Each request is valid except for its key. */
import { type BadInput, deployBody, FORBIDDEN, goodDeploy, type Keys, record, type Sent, UNAUTHORIZED } from './row.ts'

const BAD_KEYS = {
  unknown: 'an unknown key',
  mistyped: 'a key with a typing error',
  revoked: 'a revoked key',
  expired: 'an expired key',
  ofDeletedProject: 'the key of a deleted project',
  read: 'a read key',
} as const satisfies Partial<Record<keyof Keys, string>>

const PLACES: Record<string, (key: string) => Sent> = {
  'as bearer token': (key) => inHeaders({ authorization: `Bearer ${key}` }),
  'in X-Api-Key': (key) => inHeaders({ 'x-api-key': key }),
  'as password': (key) => inHeaders({ authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}` }),
  'in the body': (key) => ({ ...inHeaders({}), body: JSON.stringify({ projectApiKey: key, logs: [record()] }) }),
}

function inHeaders(headers: Record<string, string>): Sent {
  return {
    path: '/v1/logs',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify([record()]),
  }
}

const names = Object.keys(BAD_KEYS) as (keyof typeof BAD_KEYS)[]
const refusalOf = (name: keyof Keys) => (name === 'read' ? FORBIDDEN : UNAUTHORIZED)

const EVERY_KEY_IN_EVERY_PLACE: BadInput[] = names.flatMap((name) =>
  Object.entries(PLACES).map(([place, send]) => ({
    name: `logs: ${BAD_KEYS[name]} ${place}`,
    ...refusalOf(name),
    send: (keys: Keys) => send(keys[name]),
  })),
)

const ODD_PLACES: BadInput[] = (
  [
    ['no key', () => inHeaders({})],
    ['a bearer without a token', () => inHeaders({ authorization: 'Bearer' })],
    ['an empty X-Api-Key', () => inHeaders({ 'x-api-key': '' })],
    ['another scheme', ({ ingest }) => inHeaders({ authorization: `Token ${ingest}` })],
    ['a key without its scheme', ({ ingest }) => inHeaders({ authorization: ingest })],
    ['a key as user name', ({ ingest }) => inHeaders({ authorization: `Basic ${btoa(`${ingest}:`)}` })],
    ['a key in capitals', ({ ingest }) => inHeaders({ 'x-api-key': ingest.toUpperCase() })],
    ['two keys in one header', ({ ingest }) => inHeaders({ 'x-api-key': `${ingest}, ${ingest}` })],
    ['a key of half a megabyte in the body', () => inBody('tidemark_ingest_'.repeat(32_768))],
    ['a number for a key', () => inBody(1)],
    ['a list of keys', ({ ingest }) => inBody([ingest])],
    ['a key in the prototype', ({ ingest }) => rawBody(`{"__proto__":{"projectApiKey":"${ingest}"},"logs":[]}`)],
    ['a key in the address', ({ ingest }) => ({ ...inHeaders({}), path: `/v1/logs?projectApiKey=${ingest}` })],
    ['a key in a cookie', ({ ingest }) => inHeaders({ cookie: `projectApiKey=${ingest}` })],
    [
      'a bad bearer beside a good key in the body',
      ({ ingest, unknown }) => ({
        ...inBody(ingest),
        headers: inHeaders({ authorization: `Bearer ${unknown}` }).headers!,
      }),
    ],
  ] as [string, (keys: Keys) => Sent][]
).map(([name, send]) => ({ name: `logs: ${name}`, ...UNAUTHORIZED, send }))

const IN_DEPLOYS: BadInput[] = [
  ...names.map((name) => deployBody(BAD_KEYS[name], refusalOf(name), (keys) => JSON.stringify(goodDeploy(keys[name])))),
  ...([undefined, null, 1, true, '', ['x'], { key: 'x' }] as unknown[]).map((key) =>
    deployBody(`${JSON.stringify(key) ?? 'nothing'} for a key`, UNAUTHORIZED, () =>
      JSON.stringify({ ...goodDeploy(''), projectApiKey: key }),
    ),
  ),
  deployBody('a key in a header only', UNAUTHORIZED, () => JSON.stringify({ ...goodDeploy(''), projectApiKey: null }), {
    authorization: 'Bearer tidemark_ingest_',
  }),
  // The key is checked first: a stranger learns nothing about fields.
  deployBody('bad fields under an unknown key', UNAUTHORIZED, ({ unknown }) =>
    JSON.stringify({ projectApiKey: unknown, sha: 7 }),
  ),
]

function inBody(projectApiKey: unknown): Sent {
  return { ...inHeaders({}), body: JSON.stringify({ projectApiKey, logs: [record()] }) }
}

function rawBody(body: string): Sent {
  return { ...inHeaders({}), body }
}

export const KEYS: BadInput[] = [...EVERY_KEY_IN_EVERY_PLACE, ...ODD_PLACES, ...IN_DEPLOYS]
