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

const HEX = `${DIGITS}abcdef`
const ALPHABETS: Record<string, string> = { A: ALNUM, H: HEX, L: LOWER, D: DIGITS, U: UPPER + DIGITS }

/** The beginning of a token, and how many characters of which alphabet follow it. */
const SERVICE_TOKENS = [
  ...'hvs.|A24 dckr_pat_|A27 dop_v1_|H64 hf_g|A33 shpat_|H32 sq0atp-|A22 EAAA|A60 EAAB|A100 key-|H32'.split(' '),
  ...'ATATT3xFf|A60 ATBB|A32 |A3+8Q~|A34 |A52+JQQJ99|A24 |D10+:AA|A33 |D10+%3AAA|A33'.split(' '),
  ...'SK4|H31 SKa4|H30 SKab|H30 SKea|H30 dapi|H32 lin_api_|A40 PMAK-|H24+-|H34 glsa_|A32+_|H8 glc_|A60'.split(' '),
  ...'eyJrIjoi|A70 dp.pt.|A43 pul-|H40 |A14+.atlasv1.|A60 NRAK-|U27 |H36+NRAL sntrys_|A60 HRKU-AA|A58'.split(' '),
  ...'sbp_|H40 pscale_tkn_|A43 nfp_g|A39 vcp_g|A55 fm2_|A100 CFPAT-|A43 dt0c01.|U24+.|U64 secret_g|A42'.split(' '),
  ...'ntn_|A46 figd_|A43 sl.B|A130 re_|A8+_|A24 pat-na1-|UUID |H32+-us7 xkeysib-|H64+-|A16'.split(' '),
  ...'xsmtpsib-|H64+-|A16 tfp_|A44 dG9rO|A55 phx_|A43 gsk_g|A51 xai-|A80 pplx-|A48 r8_g|A36 tvly-|A32'.split(' '),
  ...'lsv2_pt_|H32+_|H10 pcsk_|A60 nvapi-|A64 csk-|L48 sk_|H48 CLOJARS_|H60 rubygems_|H48 oy2|L43'.split(' '),
  ...'AKCp|A69 cmVmdGtu|A56 CCIPAT_|A40 bkua_|H40 squ_|H40 sgp_|H40 ddp_g|A35 ops_eyJ|A250'.split(' '),
  ...'tskey-auth-|A17+-|A32 AGE-SECRET-KEY-1|U58 cflt|A60 napi_|L64 rnd_g|A31 mdb_sa_sk_|A40'.split(' '),
  ...'CCDB1_|A22+_|A40 dbtc_|A40 pat.|A22+.|H24+.|A20 hcaik_|A58 xaat-|UUID akab-|L16+-|L16 sdk-|UUID'.split(' '),
  ...'|A11+:APA91b|A134 LTAI5|A19 AKID|A32 AQVN|A36 ABSK|A100 access-sandbox-|UUID'.split(' '),
  ...'access_token$sandbox$|H16+$|H32 FLWSECK-|H32 EZAK|A54'.split(' '),
  ...['live', 'test', 'prod', 'secret', 'sk', 'pat', 'apikey'].map((kind) => `acme_${kind}_xY7|A24`),
]

function serviceToken(form: string): string {
  return form
    .split(/[|+](?=[AHLDU]\d|UUID)|\+/)
    .map((part) => {
      if (part === 'UUID') return [8, 4, 4, 4, 12].map((length) => pick(HEX, length)).join('-')
      const [, alphabet, length] = /^([AHLDU])(\d+)$/.exec(part) ?? []
      return length === undefined ? part : pick(ALPHABETS[alphabet!]!, Number(length))
    })
    .join('')
}

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
  { rule: 'service-token', secret: () => serviceToken(oneOf(...SERVICE_TOKENS)), shapes: ANYWHERE },
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
    `${'%2D'.repeat(5)}BEGIN+PRIVATE%20KEY${'%2d'.repeat(5)}`,
    Buffer.from(`${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}\n${pick(ALNUM, 20)}`).toString('base64'),
    'Private-Lines: 4\nAAAA',
    `IQoJb3${'JpZ2lu'}${pick(ALNUM, 80)}`,
    `FwoGZX${'IvYXdz'}${pick(ALNUM, 80)}`,
    ...SERVICE_TOKENS.map(serviceToken),
    `discord.com/api/webhooks/${pick(DIGITS, 18)}/${pick(ALNUM, 68)}`,
    `discordapp.com%2Fapi%2Fv10%2Fwebhooks%2F${pick(DIGITS, 18)}%2F${pick(ALNUM, 68)}`,
    `webhook.office.com/webhookb2/${pick(HEX, 36)}@${pick(HEX, 36)}/IncomingWebhook/${pick(HEX, 32)}`,
    `hooks.zapier.com/hooks/catch/${pick(DIGITS, 7)}/${pick(ALNUM, 7)}`,
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
    '://a:b/d?f@h',
    ':\\/\\/a:bcdef@h',
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
    ...passwords.map((name) => `name="${name}" value="abc"`),
    "identified by 'abc'",
    'IDENTIFIED BY tiger',
    "identified with x as 'a'",
    ...["password 'abc'", `PASSWORD("abc")`, 'password is abcde1', 'Password was abcde1'],
    ...['mysql -pabc', 'mariadb-dump -u a -pabc', 'sshpass -p abc', 'redis-cli -a abc'],
    ...[
      '<password>abc</',
      '&lt;Token&gt;abc&lt;/',
      '\\u003cpass\\u003eabc\\u003c/',
      '<ssn>078</',
      '<a:cvv b="c">123</a',
    ],
    ...['password2=abcd', 'password_confirmation="abc"', 'userPass=abcde1', 'SECRET_KEY_BASE=abcdefgh'],
    ...[`pass:"Abcdef12"`, 'pw=Abcdef12', 'PW: Abcdef12', 'user[password]=abcd', 'a%5Bpwd%5D=abcd', 'a[pass]=abcde1'],
    ...[`form-data; name="password"\r\n\r\na`, 'docker login -p abc', 'login a password abcde1'],
    ...['session_id=', 'JSESSIONID: ', 'PHPSESSID%3D', '"session-id":"'].map((name) => name + pick(ALNUM, 16)),
    ...['passcode=abcd', 'passwort=abcd', 'master_key=abcdefgh'],
    ...passwords.flatMap((name) => [`${name}%3Dabc`, `${name}\\":\\"abc`]),
    ...['pass=abcdef', 'Pass:"abcdef"', 'pass    = "abcdef"', "PASS\t:'abcdef'"],
    ...['curl -u a:bcd', 'curl x --user a:b', 'curl x --proxy-user a:b'],
    ...tokens.flatMap((name) => [`${name}="abcdefgh"`, `${name}:abcdefgh`, `${name}%3Aabcdefgh`]),
    ...['token', 'secret', 'key', 'api-key'].map((name) => `--${name} abcdefgh`),
    ...['password', 'passphrase'].flatMap((name) => [`--${name} "abc"`, `["--${name}","abc"]`]),
    ...['token', 'secret', 'key'].flatMap((name) => [`--${name} 'abcdefg1'`, `["--${name}","abcdefg1"]`]),
    ...['token', 'secret'].map((name) => `--${name} abcdefghijkl`),
    ...['a:b@tcp(', 'a:bcd@unix(/d)', 'oracle:thin:a/b@c', 'jdbc:oracle:oci8:a/b@//c'],
    ...['password', 'API_KEY'].flatMap((name) => [`name: ${name}\n value: a`, `name: '${name}'\r\n\tvalue: "a`]),
    "set password='a'",
    'password: |\n a',
    'token: >-\n a',
    '"secret","a"',
    "SET PASSWORD FOR a = PASSWORD('b')",
    ...['auth', 'Sid', 'session'].flatMap((name) => [
      `"${name}":"${pick(ALNUM, 16)}"`,
      `\\"${name}\\":[\\"${pick(ALNUM, 16)}\\"]`,
    ]),
    `sessionId=["${pick(ALNUM, 16)}"]`,
    `1/${'/0'}${pick(ALNUM, 60)}`,
    `${'ey'}J${pick(ALNUM, 8)}..${pick(ALNUM, 16)}.${pick(ALNUM, 2)}.${pick(ALNUM, 22)}`,
    ...['sig', 'signature', 'X-Amz-Signature'].map((name) => `?${name}=${pick(ALNUM, 16)}`),
    ...['4111111111111', '4111 1111 1111 1111', '2300-1111-1111-1', '371111111111111', '3711 111111 1111'],
  ]
}
