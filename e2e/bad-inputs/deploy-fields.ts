/** Deploys of which one field, or the whole body, is not what it must be. */
import {
  type BadInput,
  CANARY,
  deploy,
  deployBody,
  goodDeploy,
  INVALID,
  TOO_LARGE,
  UNAUTHORIZED,
  UNSUPPORTED,
} from './row.ts'

const NUL = 'a\0b'
const HALF_PAIR = 'a\ud83db'
const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) })

const WRONG_TYPES: BadInput[] = [
  ...['sha', 'environment', 'ref', 'message', 'author', 'externalId', 'url'].flatMap((field) => [
    deploy(`a number for ${field}`, { [field]: 7 }),
    deploy(`a list for ${field}`, { [field]: [CANARY] }),
    deploy(`an empty ${field}`, { [field]: '' }),
    deploy(`a NUL in ${field}`, { [field]: NUL }),
    deploy(`half a character pair in ${field}`, { [field]: HALF_PAIR }),
  ]),
  ...['sha', 'environment', 'deployedAt'].flatMap((field) => [
    deploy(`no ${field}`, { [field]: undefined }),
    deploy(`null for ${field}`, { [field]: null }),
  ]),
  ...[7, true, 'SUCCEEDED', 'success', '', ['succeeded']].map((status) =>
    deploy(`status ${JSON.stringify(status)}`, { status }),
  ),
]

const BAD_TIMES: BadInput[] = [
  1_769_860_800,
  '1769860800',
  '',
  'now',
  '2026-01-31',
  '2026-01-31T12:00:00',
  '2026-01-31 12:00:00Z',
  '2026-01-31T12:00Z',
  '2026-02-30T12:00:00Z',
  '2026-13-01T12:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:00:60Z',
  '2026-01-31T12:00:00+24:00',
  '2026-01-31T12:00:00.Z',
  '2026-01-31T12:00:00Z ',
  '+002026-01-31T12:00:00Z',
  new Date(Date.now() + 25 * 3_600_000).toISOString(),
  '9999-12-31T23:59:59Z',
].map((deployedAt) => deploy(`deployedAt ${JSON.stringify(deployedAt)}`, { deployedAt }))

const TOO_LONG: BadInput[] = [
  ...['sha', 'environment', 'ref', 'author', 'externalId'].map((field) =>
    deploy(`256 characters of ${field}`, { [field]: 'x'.repeat(256) }),
  ),
  deploy('an environment no record can have: 128 emoji', { environment: '\u{1f680}'.repeat(128) }),
  deploy('10,001 characters of message', { message: 'x'.repeat(10_001) }),
  deploy('2,049 characters of url', { url: `https://example.com/${'x'.repeat(2_029)}` }),
]

const BAD_ADDRESSES: BadInput[] = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'ftp://example.com/run',
  'file:///etc/passwd',
  '//example.com/run',
  '/runs/7',
  'example.com',
  'https://',
  ' https://example.com/run',
  'https://exam\nple.com/run',
  'https://example.com/\u007f',
  'https://ada:secret@example.com/run',
].map((url) => deploy(`url ${JSON.stringify(url)}`, { url }))

const BAD_METADATA: BadInput[] = [
  ...['text', 7, true, [], [{ a: 1 }]].map((metadata) => deploy(`metadata ${JSON.stringify(metadata)}`, { metadata })),
  deploy('metadata of more than 16 KiB', { metadata: { a: 'x'.repeat(16 * 1024) } }),
  deploy('metadata of more than 16 KiB in UTF-8 only', { metadata: { a: '\u20ac'.repeat(6_000) } }),
  deploy('metadata of 17 levels', { metadata: deep(17) }),
  deploy('metadata of 10,000 levels', { metadata: { a: '@' } }),
  deploy('metadata of 125,000 values', { metadata: { a: Array(125_000).fill(1) } }),
  deploy('a NUL in metadata', { metadata: { a: { b: [NUL] } } }),
  deploy('half a character pair in a key of metadata', { metadata: { [HALF_PAIR]: 1 } }),
].map((row) => (row.name.includes('10,000') ? withDeepMetadata(row) : row))

/** JSON.stringify could not write it. */
function withDeepMetadata(row: BadInput): BadInput {
  return {
    ...row,
    send: (keys) => {
      const sent = row.send(keys)
      return { ...sent, body: String(sent.body).replace('"@"', `${'['.repeat(10_000)}${']'.repeat(10_000)}`) }
    },
  }
}

const EVERYTHING_WRONG = {
  sha: 1,
  environment: '',
  deployedAt: 'soon',
  status: 'done',
  ref: [],
  message: {},
  author: false,
  externalId: NUL,
  url: 'javascript:alert(1)',
  metadata: 'none',
}

const BODIES: BadInput[] = [
  deploy('every field wrong at once', EVERYTHING_WRONG),
  deployBody('an empty body', INVALID, () => ''),
  deployBody('white space only', INVALID, () => '  \n'),
  deployBody('plain words', INVALID, () => CANARY),
  deployBody('an object that is cut off', INVALID, ({ ingest }) => JSON.stringify(goodDeploy(ingest)).slice(0, -1)),
  deployBody('two objects', INVALID, ({ ingest }) => JSON.stringify(goodDeploy(ingest)).repeat(2)),
  deployBody('a list of deploys', INVALID, ({ ingest }) => JSON.stringify([goodDeploy(ingest)])),
  deployBody('a text', INVALID, ({ ingest }) => JSON.stringify(JSON.stringify(goodDeploy(ingest)))),
  deployBody('a number', INVALID, () => '7'),
  deployBody('null', INVALID, () => 'null'),
  deployBody('false', INVALID, () => 'false'),
  // The key is a field too, and one in the prototype does not count.
  deployBody(
    'fields in the prototype',
    UNAUTHORIZED,
    ({ ingest }) => `{"__proto__":${JSON.stringify(goodDeploy(ingest))}}`,
  ),
  ...(
    [
      ['a prototype in metadata', '{"__proto__":{"isAdmin":true}}', 'metadata.__proto__'],
      ['a constructor in metadata', '{"constructor":{"prototype":{}}}', 'metadata.constructor.prototype'],
      ['a number beyond a double in metadata', '{"a":[1e400]}', 'metadata.a.0'],
      ['an integer that a double would change in metadata', '{"a":9007199254740993}', 'metadata.a'],
    ] as const
  ).map(([name, metadata, path]) =>
    deployBody(name, { ...INVALID, fields: [path] }, ({ ingest }) =>
      JSON.stringify({ ...goodDeploy(ingest), metadata: '@' }).replace('"@"', metadata),
    ),
  ),
  deployBody('more than 256 KiB', TOO_LARGE, ({ ingest }) =>
    JSON.stringify({ ...goodDeploy(ingest), note: 'x'.repeat(256 * 1024) }),
  ),
  {
    ...deployBody('more than 256 KiB without a length', TOO_LARGE, () => ''),
    send: ({ ingest }) => ({
      path: '/v1/deploys',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...goodDeploy(ingest), note: 'x'.repeat(256 * 1024) }),
      chunked: true,
    }),
  },
  deployBody('UTF-16', INVALID, ({ ingest }) => Buffer.from(JSON.stringify(goodDeploy(ingest)), 'utf16le'), {
    'content-type': 'application/json; charset=utf-16le',
  }),
  deployBody('Latin-1', INVALID, ({ ingest }) => latin1(ingest)),
  { ...deployBody('Latin-1 without a length', INVALID, () => ''), send: ({ ingest }) => chunked(latin1(ingest)) },
  {
    ...deployBody('no Content-Type', UNSUPPORTED, () => ''),
    send: ({ ingest }) => ({ path: '/v1/deploys', body: JSON.stringify(goodDeploy(ingest)) }),
  },
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'].map(
    (type) =>
      deployBody(`Content-Type ${type}`, UNSUPPORTED, ({ ingest }) => JSON.stringify(goodDeploy(ingest)), {
        'content-type': type,
      }),
  ),
]

function latin1(ingest: string): Buffer {
  return Buffer.from(JSON.stringify({ ...goodDeploy(ingest), environment: 'gr\u00fcn' }), 'latin1')
}

function chunked(body: Buffer) {
  return { path: '/v1/deploys', headers: { 'content-type': 'application/json' }, body, chunked: true }
}

export const DEPLOY_FIELDS: BadInput[] = [
  ...WRONG_TYPES,
  ...BAD_TIMES,
  ...TOO_LONG,
  ...BAD_ADDRESSES,
  ...BAD_METADATA,
  ...BODIES,
]
