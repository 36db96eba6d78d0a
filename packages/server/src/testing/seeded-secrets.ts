/** Made-up secrets for every rule of redaction, in the shapes they come in. */

/** Repeatable, so that a failing secret can be looked at again. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const random = generator(20_260_102)
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
export const ALNUM = LOWER + UPPER + DIGITS

export function pick(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
}

function oneOf(...choices: string[]): string {
  return choices[Math.floor(random() * choices.length)]!
}

function base64Url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function luhn(prefix: string, length: number): string {
  const body = prefix + pick(DIGITS, length - prefix.length - 1)
  let sum = 0
  for (let index = 0; index < body.length; index++) {
    const digit = Number(body[body.length - 1 - index])
    const doubled = index % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return body + ((10 - (sum % 10)) % 10)
}

type Seed = { rule: string; secret: () => string; shapes: ((secret: string) => string)[] }

const TEXT = (secret: string) => `worker 12 failed to start with ${secret} after 3 tries`
const JSON_TEXT = (secret: string) => JSON.stringify({ step: 'login', value: secret, ok: false })
const URL_QUERY = (secret: string) => `GET https://api.example.com/v1/items?id=7&x=${secret}&page=2 200`
const HEADER = (secret: string) => `X-Custom-Header: ${secret}`
const ANYWHERE = [TEXT, JSON_TEXT, URL_QUERY, HEADER]

const keyed = (...names: string[]) =>
  names.flatMap((name) => [
    (secret: string) => `retrying with ${name}=${secret} in 5s`,
    (secret: string) => `sent {"${name}":"${secret}","attempt":2}`,
    (secret: string) => `escaped {\\"${name}\\": \\"${secret}\\"}`,
    (secret: string) => `POST /x?${name}=${secret}&page=2`,
    (secret: string) => `body ${name}%3D${secret}`,
  ])

// Prefixes are put together here so that no scanner takes this file for a leak.
export const SEEDS: readonly Seed[] = [
  { rule: 'aws-access-key', secret: () => `${oneOf('AK', 'AS')}IA${pick(`${UPPER}234567`, 16)}`, shapes: ANYWHERE },
  {
    rule: 'aws-secret-key',
    secret: () => pick(`${ALNUM}/+`, 40),
    shapes: keyed('aws_secret_access_key', 'secretAccessKey'),
  },
  {
    rule: 'github-token',
    secret: () =>
      random() < 0.7 ? `gh${oneOf(...'pousr')}_${pick(ALNUM, 36)}` : `github_${'pat'}_${pick(`${ALNUM}_`, 82)}`,
    shapes: ANYWHERE,
  },
  { rule: 'gitlab-token', secret: () => `gl${oneOf('pat', 'dt', 'rt')}-${pick(ALNUM, 20)}`, shapes: ANYWHERE },
  {
    rule: 'slack-token',
    secret: () => `xox${oneOf('b', 'p', 'a')}-${pick(DIGITS, 12)}-${pick(ALNUM, 24)}`,
    shapes: ANYWHERE,
  },
  {
    rule: 'slack-webhook',
    secret: () => `T${pick(UPPER, 8)}/B${pick(UPPER, 8)}/${pick(ALNUM, 24)}`,
    shapes: [(secret) => `post to https://hooks.slack.com/${'services'}/${secret} failed`],
  },
  {
    rule: 'stripe-key',
    secret: () => `${oneOf('sk', 'rk')}_${oneOf('live', 'test')}_${pick(ALNUM, 24)}`,
    shapes: ANYWHERE,
  },
  { rule: 'anthropic-key', secret: () => `sk-${'ant'}-api03-${pick(`${ALNUM}_-`, 80)}`, shapes: ANYWHERE },
  {
    rule: 'openai-key',
    secret: () => `sk-${oneOf('', 'proj-')}${pick(LOWER, 3)}7${pick(ALNUM, 44)}`,
    shapes: ANYWHERE,
  },
  { rule: 'google-api-key', secret: () => `AI${'za'}${pick(`${ALNUM}_-`, 35)}`, shapes: ANYWHERE },
  { rule: 'google-oauth', secret: () => oneOf(`ya${29}.`, `GOC${'SPX'}-`) + pick(ALNUM, 28), shapes: ANYWHERE },
  { rule: 'npm-token', secret: () => `npm${'_'}${pick(ALNUM, 36)}`, shapes: ANYWHERE },
  { rule: 'pypi-token', secret: () => `pypi${'-'}AgEI${pick(ALNUM, 90)}`, shapes: ANYWHERE },
  { rule: 'sendgrid-key', secret: () => `SG${'.'}${pick(ALNUM, 22)}.${pick(ALNUM, 43)}`, shapes: ANYWHERE },
  {
    rule: 'jwt',
    secret: () =>
      `${base64Url({ alg: 'HS256', typ: 'JWT' })}.${base64Url({ sub: pick(DIGITS, 9) })}.${pick(ALNUM, 43)}`,
    shapes: ANYWHERE,
  },
  {
    rule: 'private-key',
    secret: () => {
      const kind = oneOf('RSA ', 'EC ', '', 'OPENSSH ')
      const dashes = '-'.repeat(5)
      return `${dashes}BEGIN ${kind}PRIVATE KEY${dashes}\n${pick(`${ALNUM}/+`, 64)}\n${pick(ALNUM, 30)}==\n${dashes}END ${kind}PRIVATE KEY${dashes}`
    },
    shapes: [TEXT, JSON_TEXT],
  },
  {
    rule: 'url-credentials',
    secret: () => pick(`${ALNUM}!_%`, 12),
    shapes: [
      (secret) => `connecting to postgres://app:${secret}@db.internal:5432/orders`,
      (secret) => `{"url":"redis://:${secret}@cache:6379/0"}`,
      (secret) => `clone https://deploy:${secret}@git.example.com/a/b.git`,
    ],
  },
  {
    rule: 'authorization',
    secret: () => Buffer.from(`user${pick(DIGITS, 3)}:${pick(ALNUM, 12)}`).toString('base64'),
    shapes: [
      (secret) => `Authorization: Basic ${secret}`,
      (secret) => `{"authorization":"Bearer ${secret}"}`,
      (secret) => `curl -H 'Authorization: Token ${secret}' https://x`,
      (secret) => `sent bearer ${secret} to upstream`,
      (secret) => `proxy-authorization=${secret}`,
    ],
  },
  {
    rule: 'cookie',
    secret: () => `sid=${pick(ALNUM, 12)}; theme=${pick(LOWER, 8)}; _u="${pick(ALNUM, 9)}"`,
    shapes: [
      (secret) => `Cookie: ${secret}`,
      (secret) => `> Set-Cookie: ${secret}; Path=/; HttpOnly`,
      (secret) => `curl -H 'cookie: ${secret}' https://x`,
      (secret) => JSON.stringify({ step: 'login', headers: { cookie: secret } }),
      (secret) => JSON.stringify(JSON.stringify({ Cookie: secret })),
    ],
  },
  {
    rule: 'password',
    secret: () => pick(ALNUM, 6) + oneOf('1!', '#7', '9$'),
    shapes: keyed('password', 'DB_PASSWD', 'userPassword', 'pwd'),
  },
  {
    rule: 'token',
    secret: () => pick(ALNUM, 24),
    shapes: keyed(
      'token',
      'refresh_token',
      'client_secret',
      'api_key',
      'apiKey',
      'X-Api-Key',
      'accessKey',
      'signing key',
    ),
  },
  { rule: 'tidemark-key', secret: () => `tidemark_${oneOf('read', 'ingest')}_${pick(ALNUM, 32)}`, shapes: ANYWHERE },
  {
    rule: 'card-number',
    secret: () => {
      const digits = oneOf(luhn('4', 16), luhn('52', 16), luhn('37', 15), luhn('6011', 16), luhn('2300', 16))
      const groups = digits.length === 15 ? /(\d{4})(\d{6})(\d{5})/ : /(\d{4})(\d{4})(\d{4})(\d{4})/
      return oneOf(digits, groups.exec(digits)!.slice(1).join(' '), groups.exec(digits)!.slice(1).join('-'))
    },
    shapes: [TEXT, JSON_TEXT, (secret) => `charged card ${secret}, amount 12.00`],
  },
]

/** As little as each pattern takes, so that what is heard in a text belongs to that pattern and not to its surroundings. */
export function shortestTexts(): string[] {
  const passwords = ['password', 'PASSWD', 'passphrase', 'pwd']
  const names = 'api access private secret auth account client signing encryption service'.split(' ')
  const tokens = [
    'secret',
    'token',
    'Credential',
    ...names.flatMap((name) => [`${name}key`, `${name}_KEY`, `${name}-key`, `${name}.key`, `${name} key`]),
  ]
  return [
    `${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}`,
    ...['read', 'ingest'].map((kind) => `tidemark_${kind}_${pick(ALNUM, 16)}`),
    ...['AK', 'AS', 'AB'].map((start) => `${start}IA${pick(UPPER, 16)}`),
    `AC${'CA'}${pick(UPPER, 16)}`,
    ...[...'pousr'].map((kind) => `gh${kind}_${pick(ALNUM, 36)}`),
    `github_${'pat'}_${pick(ALNUM, 40)}`,
    ...'pat dt rt cbt ptt ft imt agent soat oas'.split(' ').map((kind) => `gl${kind}-${pick(ALNUM, 20)}`),
    ...[...'abeoprs'].map((kind) => `xox${kind}-${pick(ALNUM, 10)}`),
    `xapp-1-${pick(ALNUM, 10)}`,
    ...['services', 'workflows'].map((kind) => `hooks.slack.com/${kind}/${pick(ALNUM, 20)}`),
    ...['sk_live', 'sk_test', 'rk_live', 'rk_test'].map((start) => `${start}_${pick(ALNUM, 16)}`),
    `whsec${'_'}${pick(ALNUM, 24)}`,
    `sk-${'ant'}-${pick(ALNUM, 20)}`,
    ...['', 'proj-', 'svcacct-', 'admin-'].map((kind) => `sk-${kind}1${pick(ALNUM, 20)}`),
    `AI${'za'}${pick(ALNUM, 35)}`,
    `ya${29}.${pick(ALNUM, 20)}`,
    `GOC${'SPX'}-${pick(ALNUM, 20)}`,
    `npm${'_'}${pick(ALNUM, 36)}`,
    `pypi${'-'}${pick(ALNUM, 50)}`,
    `SG${'.'}${pick(ALNUM, 16)}.${pick(ALNUM, 32)}`,
    `${'ey'}J${pick(ALNUM, 8)}.${'ey'}J${pick(ALNUM, 8)}`,
    ...['secretkey', 'SECRET_ACCESS_KEY'].map((name) => `${name}=${pick(ALNUM, 40)}`),
    '://a:bcdef@h',
    `https://${pick(ALNUM, 9)}@h`,
    `db://${pick(ALNUM, 16)}@h`,
    '%3A%2F%2Fa%3Ab%40',
    ...['cookie="a=b"', 'COOKIES: "a=b"', 'cookie: [a=b]', 'Cookie: a=b'],
    ...[
      'authorization: "a',
      'Authorization: Digest a=b, c=d',
      'authorization=abcdefgh',
      'Bearer abcdefg1',
      'basic abcdefg1',
    ],
    ...passwords.flatMap((name) => [
      `${name}="abc"`,
      `${name}=abcd`,
      `${name}: abc`,
      `${name}:abcdef`,
      `--${name} abcdef`,
    ]),
    ...passwords.flatMap((name) => [`${name}%3Dabc`, `${name}\\":\\"abc`]),
    ...['pass=abcdef', 'Pass:"abcdef"', 'pass    = "abcdef"', "PASS\t:'abcdef'"],
    ...['curl -u a:bcd', 'curl x --user a:b', 'curl x --proxy-user a:b'],
    ...tokens.flatMap((name) => [`${name}="abcdefgh"`, `${name}:abcdefgh`, `${name}%3Aabcdefgh`]),
    ...['token', 'secret', 'key', 'api-key'].map((name) => `--${name} abcdefgh`),
    ...['sig', 'signature', 'X-Amz-Signature'].map((name) => `?${name}=${pick(ALNUM, 16)}`),
    ...['4111111111111', '4111 1111 1111 1111', '2300-1111-1111-1', '371111111111111', '3711 111111 1111'],
  ]
}
