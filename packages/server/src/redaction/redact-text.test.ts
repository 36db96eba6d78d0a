import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../testing/cpu-time.ts'
import { redactSample } from './redact.ts'
import { NO_REDACTION_CHANGES } from './settings.ts'

const redacted = (text: string) => redactSample(NO_REDACTION_CHANGES, text).text
/** The text as it stands inside a JSON string, once more for each level. */
const escaped = (text: string, levels = 1): string =>
  levels === 0 ? text : escaped(JSON.stringify(text).slice(1, -1), levels - 1)

const SECRET = 'Hunter22x'

describe('a quoted value', () => {
  const VALUES = [
    `a"${SECRET}`,
    `a\\"${SECRET}`,
    `${SECRET}\\`,
    `it's ${SECRET}`,
    `a, b; c & <${SECRET}>`,
    `x\n${SECRET}`,
  ]
  const NAMES = ['password', 'db_passwd', 'secret', 'apiKey', 'refresh_token', 'authorization']

  it.each([0, 1, 2])('is redacted to its true end in JSON that was escaped %i times', (levels) => {
    for (const value of VALUES) {
      for (const name of NAMES) {
        const json = JSON.stringify({ user: 'ada', [name]: value, after: 'still "here"' })
        const text = redacted(`sent ${escaped(json, levels)} to login`)
        expect(text, `${name} ${json}`).not.toContain(SECRET.slice(1))
        expect(text).toContain(escaped('","after":"still \\"here\\""}', levels))
        expect(text).toContain(escaped('{"user":"ada","', levels))
      }
    }
  })

  it.each([
    [`{'password': 'a\\'${SECRET}', 'user': 'ada'}`, `{'password': '[REDACTED:password]', 'user': 'ada'}`],
    [`set password='it''s ${SECRET}' where id=7`, `set password='[REDACTED:password]' where id=7`],
    [`password="a'${SECRET}" user="ada"`, `password="[REDACTED:password]" user="ada"`],
    [`secret: 'p@ss ${SECRET} {x}', next: 1`, `secret: '[REDACTED:token]', next: 1`],
    [`pass = '${SECRET}' user = 'ada'`, `pass = '[REDACTED:password]' user = 'ada'`],
    [`PASS\t=>\t"${SECRET}"`, `PASS\t=>\t"[REDACTED:password]"`],
    [`user: 'ada', pass    : '${SECRET}'`, `user: 'ada', pass    : '[REDACTED:password]'`],
    [`q=%22password%22%3A%22a ${SECRET}%22%2C%22b%22`, 'q=%22password%22%3A%22[REDACTED:password]%22%2C%22b%22'],
    [`password="never closed ${SECRET}\nnext line`, 'password="[REDACTED:password]\nnext line'],
    [`"password":"${'Ab1-'.repeat(500)}","a":1`, '"password":"[REDACTED:password]","a":1'],
  ])('is redacted to its true end: %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })
})

describe('a value without quotes', () => {
  it.each([
    [`password = ${SECRET}`, 'password = [REDACTED:password]'],
    [`password=a\\${SECRET} x`, 'password=[REDACTED:password] x'],
    ['line\npassword=Hunter22\\nnext', 'line\npassword=[REDACTED:password]\\nnext'],
    [
      'db:\n  user: shop\n  password: hunter\n  port: 5432',
      'db:\n  user: shop\n  password: [REDACTED:password]\n  port: 5432',
    ],
    [`DB_PASS=${SECRET} npm start`, 'DB_PASS=[REDACTED:password] npm start'],
    [`password=${'Ab1-'.repeat(500)} x`, 'password=[REDACTED:password] x'],
    [`token=${'Ab1-Xy9_Qw'.repeat(200)} x`, 'token=[REDACTED:token] x'],
    [`secret=p@ssW0rd{${SECRET} x`, 'secret=[REDACTED:token] x'],
    [`login --password ${SECRET} --user ada`, 'login --password [REDACTED:password] --user ada'],
    [`curl -s -u 'ada:${SECRET}' https://x/`, `curl -s -u 'ada:[REDACTED:password]' https://x/`],
    ['GET /b?X-Amz-Signature=0123456789abcdef0123&a=b', 'GET /b?X-Amz-Signature=[REDACTED:token]&a=b'],
  ])('is redacted: %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })
})

describe('an address', () => {
  it.each([
    [
      'clone https://k3JdQ7z9mmXw@git.example.com/a.git',
      'clone https://[REDACTED:url-credentials]@git.example.com/a.git',
    ],
    ['https://k3JdQ7z9mmXw:@api.example.com/', 'https://[REDACTED:url-credentials]:@api.example.com/'],
    [
      'https://k3JdQ7z9mmXw:x-oauth-basic@github.com/',
      'https://[REDACTED:url-credentials]:[REDACTED:url-credentials]@github.com/',
    ],
    [
      'https://0123456789abcdef0123456789abcdef@o1.example.com/7',
      'https://[REDACTED:url-credentials]@o1.example.com/7',
    ],
    ['to=postgres%3A%2F%2Fapp%3AHunter22%40db%2Fx', 'to=postgres%3A%2F%2Fapp%3A[REDACTED:url-credentials]%40db%2Fx'],
  ])('loses its secret: %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })

  it.each([
    'ssh://git@github.com/a/b.git',
    'git@github.com:a/b.git',
    'https://bob@bitbucket.org/team/repo.git',
    'postgres://shop_reader@db.internal:5432/shop',
    'sftp://backup01@files.internal/in',
    'http://localhost:8080/@scope/pkg',
    'https://medium.com/@somebody/a-story-1234567890',
    'https://example.com/?mail=somebody1234567@example.com',
    'callback=https%3A%2F%2Fexample.com%2F%3Fmail%3Dbob%40example.com',
  ])('is left alone: %s', (text) => {
    expect(redacted(text)).toBe(text)
  })
})

describe('cookies', () => {
  it.each([
    ['Cookie: sid=abc; theme=dark', 'Cookie: [REDACTED:cookie]'],
    ['> Cookie: a=1; b="x y"; c=3\n> Host: x', '> Cookie: [REDACTED:cookie]\n> Host: x'],
    [`curl -H 'Cookie: a=1; b=2' https://x/`, `curl -H 'Cookie: [REDACTED:cookie]' https://x/`],
    ['GET / HTTP/1.1\\r\\nCookie: a=1; b=2\\r\\nHost: x', 'GET / HTTP/1.1\\r\\nCookie: [REDACTED:cookie]\\r\\nHost: x'],
    ['Set-Cookie: sid=abc; Path=/; HttpOnly', 'Set-Cookie: [REDACTED:cookie]'],
    ['set-cookie: sid=abc; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2; Secure', 'set-cookie: [REDACTED:cookie]'],
    ['{"cookie":"sid=a\\"bc; b=2","host":"x"}', '{"cookie":"[REDACTED:cookie]","host":"x"}'],
    ['h {\\"Cookie\\":\\"sid=abc; b=2\\",\\"a\\":1}', 'h {\\"Cookie\\":\\"[REDACTED:cookie]\\",\\"a\\":1}'],
    ['got {"set-cookie":["a=1; Path=/","b=2"],"x":1}', 'got {"set-cookie":[[REDACTED:cookie]],"x":1}'],
    ['["Host","x","Cookie","sid=abc; b=2","Accept","y"]', '["Host","x","Cookie","[REDACTED:cookie]","Accept","y"]'],
    ['{"name":"Cookie","value":"sid=abc"}', '{"name":"Cookie","value":"[REDACTED:cookie]"}'],
  ])('are redacted, all of them: %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })
})

describe('an Authorization header', () => {
  it.each([
    [`Authorization: Basic  ${'dXNlcjpwYXNz'.repeat(300)}`, 'Authorization: Basic  [REDACTED:authorization]'],
    [
      'Authorization: Digest username="bob", nonce="dcd98b71", response="6629fae4"\nHost: x',
      'Authorization: Digest [REDACTED:authorization]\nHost: x',
    ],
    [
      'authorization: AWS4-HMAC-SHA256 Credential=abcdef/2026/s3, SignedHeaders=host, Signature=fe5f80',
      'authorization: AWS4-HMAC-SHA256 [REDACTED:authorization]',
    ],
    ['{"Authorization":"Token p@ss \\"word\\" 1","a":1}', '{"Authorization":"[REDACTED:authorization]","a":1}'],
    ['["Authorization","Bearer abcdefghij","b"]', '["Authorization","[REDACTED:authorization]","b"]'],
  ])('is redacted: %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })
})

describe('ordinary text', () => {
  it.each([
    'token count: 5',
    'the password was changed',
    `pass the test 'suite 12' = done`,
    `pass 3 : 'round 2' of 4`,
    `bypass = 'route 66' and class = 'col-md-6'`,
    `pass = 'all' fail = '0'`,
    'password: expired',
    'Password: incorrect',
    'error: --password is required',
    'password == confirmation is false',
    'Unexpected token: "}" at position 12',
    '{"error":"bad","token":"could not be found"}',
    'docker run -u 1000:1000 shop',
    'tests: pass=12 fail=3',
    'Cookie: missing',
    'cookie: the visitor has none',
    'set cookie consent = given for 12 visitors',
    'cookie "consent" was set',
    'authorization: not required here',
    'authorization="none"',
    'signature=ok',
    'secret santa: "bob and alice"',
    'mailto:somebody1234567@example.com',
    'authToken=com.android.server.am.ActivityRecord@1234abcd',
  ])('is left alone: %s', (text) => {
    expect(redacted(text)).toBe(text)
  })
})

describe('text made to make patterns start over', () => {
  const PIECES = [
    'password="',
    `password='`,
    'password=\\"',
    'password=\\\\\\"',
    `token="token='`,
    'token="****',
    'password="\\',
    'password="\\"',
    'password%22%3A%22',
    'cookie: a=1; ',
    'cookie: a="',
    'cookie":"',
    'cookie: ',
    'cookie: expires=',
    'set-cookie":["',
    'authorization: digest ',
    '"authorization","value":"',
    'https://a',
    '://aaaaaaaa',
    '%3A%2F%2Fa',
    '%3A%2F%2F%3A',
    '\npassword: a ',
    '\n  x-password: ',
    'curl ',
    'curl -u ',
    '--password ',
    '--a-',
    '?sig=',
    '\\',
    '"',
    `'`,
  ]
  it.each(PIECES)('costs time in proportion to its length: %s', (piece) => {
    const text = piece.repeat(Math.ceil(256_000 / piece.length))
    // A square of the length would take minutes.
    const cost = cpuMsOf(() => [text, `password="${text}`, `cookie: a=${text}`].map((one) => redacted(one)))
    expect(cost).toBeLessThan(15_000)
  })
})
