import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../testing/cpu-time.ts'
import { ALNUM, pick } from '../testing/seeded-secrets.ts'
import { redactSample } from './redact.ts'
import { NO_REDACTION_CHANGES } from './settings.ts'

const redacted = (text: string) => redactSample(NO_REDACTION_CHANGES, text).text
/** The text as it stands inside a JSON string, once more for each level. */
const escaped = (text: string, levels = 1): string =>
  levels === 0 ? text : escaped(JSON.stringify(text).slice(1, -1), levels - 1)

const SECRET = 'Hunter22x'
const BASE64 = Buffer.from('ada:Hunter22x-and-more').toString('base64')
const BYTES = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')

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

describe('percent-encoded text', () => {
  const BASE64_62 = pick(ALNUM, 62)
  const SIGNATURE = pick('0123456789abcdef', 64)

  it.each([
    [
      `GET /b?u=https%3A%2F%2Fb%3Fsv%3D1%26sig%3D${SIGNATURE}&n=1`,
      'GET /b?u=https%3A%2F%2Fb%3Fsv%3D1%26sig%3D[REDACTED:token]&n=1',
    ],
    [`u=https://b%3fX-Amz-Signature%3d${SIGNATURE}`, 'u=https://b%3fX-Amz-Signature%3d[REDACTED:token]'],
    [
      'GET /x?dsn=https%3A%2F%2F0123456789abcdef0123456789abcdef%40o37.ingest.sentry.io%2F3',
      'GET /x?dsn=https%3A%2F%2F[REDACTED:url-credentials]%40o37.ingest.sentry.io%2F3',
    ],
    [
      `?x=CREATE%20USER%20app%20WITH%20ENCRYPTED%20PASSWORD%20'${SECRET}'`,
      "?x=CREATE%20USER%20app%20WITH%20ENCRYPTED%20PASSWORD%20'[REDACTED:password]'",
    ],
    [
      `q=ALTER+USER+a%2Fb+WITH+PASSWORD+%27${SECRET}%27&x`,
      'q=ALTER+USER+a%2Fb+WITH+PASSWORD+%27[REDACTED:password]%27&x',
    ],
    [`c={'secret_key'%3A%20'${SECRET}%C3%A9'}`, "c={'secret_key'%3A%20'[REDACTED:token]'}"],
    [`j=%2522password%2522%253A%2522${SECRET}%2522`, 'j=%2522password%2522%253A%2522[REDACTED:password]%2522'],
    [`q=api%20key%3A%20${SECRET}`, 'q=api%20key%3A%20[REDACTED:token]'],
    [`q=paid%204111%201111%201111%201111`, 'q=paid%20[REDACTED:card-number]'],
    [`q=a%201%2F%2F0g${BASE64_62}`, 'q=a%20[REDACTED:google-oauth]'],
    [`q=a%26pass%20%3D%20%22${SECRET}%22`, 'q=a%26pass%20%3D%20%22[REDACTED:password]%22'],
    [`amqp%3A%2F%2Fsvc%3Ap%40${SECRET}%231%40h`, 'amqp%3A%2F%2Fsvc%3A[REDACTED:url-credentials]%40h'],
  ])('is redacted like plain text: %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })

  it.each([
    'GET /search?q=forgot%20the%20password%20again&page=2 200',
    'next=https%3A%2F%2Fexample.com%2Fcart%3Fid%3D0123456789abcdef%26page%3D2',
    'GET /files/r%C3%A9sum%C3%A9%20(1).pdf, disk 93%25 full, 100%, %s and %zz',
    'mail=ada%40example.com&session_id%3D550e8400-e29b-41d4-a716-446655440000',
  ])('is left alone without a secret: %s', (text) => {
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

describe('a token of a known form', () => {
  const BEGINNINGS = [
    'a\\n',
    '\\t',
    '\\r',
    '\u001b[31m',
    '\\u001b[1;31m',
    'k%3D',
    'x',
    '7',
    'my_',
    'x-access-token-',
    'tok_',
    'X',
  ]
  const ENDS = ['\\nb', '\u001b[0m', '%26x', '_', '-', '"']
  const FORMS = [
    ['github-token', `ghp${'_'}${pick(ALNUM, 36)}`],
    ['aws-access-key', `AK${'IA'}IOSFODNN7EXAMPL2`],
    ['jwt', `${'ey'}JhbGciOiJIUzI1NiJ9.${'ey'}JzdWIiOiIxMjM0In0.${pick(ALNUM, 43)}`],
    ['jwt', `${'ey'}JhbGciOiJkaXIifQ..${pick(ALNUM, 16)}.${pick(ALNUM, 8)}.${pick(ALNUM, 22)}`],
    ['google-oauth', `1/${'/0'}g${pick(ALNUM, 62)}`],
    ['slack-token', `xox${'b'}-123456789012-${pick(ALNUM, 24)}`],
    ['gitlab-token', `gl${'pat'}-${pick(ALNUM, 20)}`],
    ['stripe-key', `sk${'_'}live_7xY${pick(ALNUM, 24)}`],
    ['openai-key', `sk-${'proj'}-${pick(ALNUM, 40)}`],
    ['google-api-key', `AI${'za'}Sy${pick(ALNUM, 33)}`],
    ['service-token', `hvs${'.'}${pick(ALNUM, 24)}`],
  ] as const

  it.each(FORMS)('is redacted as %s whatever touches it', (rule, secret) => {
    for (const before of BEGINNINGS) {
      for (const after of ENDS) {
        const text = redacted(`${before}${secret}${after}`)
        expect(text).toContain(`${before}[REDACTED:${rule}]`)
        expect(text).not.toContain(secret.slice(-12))
      }
    }
  })

  it.each([
    'https://hooks.slack.com/services/T0AB/B0CD/0123456789abcdefABCDEF',
    'https:\\/\\/hooks.slack.com\\/services\\/T0AB\\/B0CD\\/0123456789abcdefABCDEF',
    'https%3A%2F%2Fhooks.slack.com%2Fservices%2FT0AB%2FB0CD%2F0123456789abcdefABCDEF',
    `https://discord.com/api/webhooks/123456789012345678/${pick(ALNUM, 50)}0123456789abcdefABCDEF`,
  ])('in the address of a webhook is redacted: %s', (address) => {
    expect(redacted(`posting to ${address} failed`)).not.toContain('abcdefABCDEF')
  })
})

describe('a private key', () => {
  const lines = Array.from({ length: 6 }, () => pick(ALNUM, 64))
  const dashes = '-'.repeat(5)
  const key = [`${dashes}BEGIN RSA PRIVATE KEY${dashes}`, ...lines, `${dashes}END RSA PRIVATE KEY${dashes}`]
  const logged = (prefix: string, from: string[] = key) => from.map((line) => `${prefix}${line}`).join('\n')

  it.each([
    ['with a prefix on each line', logged('2026-11-15T12:00:00Z [app] INFO | ')],
    ['cut, with a prefix on each line', logged('2026-11-15 [app] ', key.slice(0, 5))],
    ['percent-encoded', encodeURIComponent(key.join('\n'))],
    ['sent by a form', encodeURIComponent(key.join('\n')).replaceAll('%20', '+')],
    ['as a list of its lines', JSON.stringify(key)],
    ['in JSON within JSON', escaped(key.join('\n'), 2)],
    ['in base64', Buffer.from(key.join('\n')).toString('base64')],
  ])('is redacted %s', (_, text) => {
    const result = redacted(`loaded ${text}`)
    for (const line of lines.slice(0, 4)) {
      expect(result).not.toContain(line)
      expect(result).not.toContain(Buffer.from(line).toString('base64').slice(4, 40))
    }
  })
})

describe('a value after an option of a command line', () => {
  const LETTERS = 'ghijklmnopqrst'

  it.each([
    ['x --password "correct horse battery" -v', 'x --password "[REDACTED:password]" -v'],
    [`x --db-password 'it is me' -v`, `x --db-password '[REDACTED:password]' -v`],
    ['x --password correcthorse --user ada', 'x --password [REDACTED:password] --user ada'],
    [`x --token ${LETTERS}`, 'x --token [REDACTED:token]'],
    [`x --client-secret "${LETTERS}" -v`, 'x --client-secret "[REDACTED:token]" -v'],
    [`["mysql","--password","${SECRET}","shop"]`, '["mysql","--password","[REDACTED:password]","shop"]'],
    [`['mysql', '--password', '${SECRET}', 'shop']`, `['mysql', '--password', '[REDACTED:password]', 'shop']`],
    [`{\\"a\\":[\\"--api-key\\",\\"${SECRET}\\"]}`, '{\\"a\\":[\\"--api-key\\",\\"[REDACTED:token]\\"]}'],
  ])('is redacted: %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })

  it.each([
    'use --password to set the password',
    'usage: x [--password PASSWORD] [--token TOKEN_OR_SECRET]',
    'run x --password-file path/to/it --token-file ./token',
    '--token is required, --password requires --user, --password argument missing',
    '--token authentication is off, --secret database-credentials is mounted',
    '["--password","--user","ada"] and ["--token",""]',
    'sort --key last_modified_time --sort-key "created at"',
    'x --password "<your password>" --token <your-token-here>',
  ])('is left alone without a secret: %s', (text) => {
    expect(redacted(text)).toBe(text)
  })
})

describe('a secret in another notation', () => {
  it.each([
    [`<password>${SECRET}</password>`, '<password>[REDACTED:field]</password>'],
    [
      `<wsse:Password Type="http://x#PasswordText">${SECRET}</wsse:Password>`,
      '<wsse:Password Type="http://x#PasswordText">[REDACTED:field]</wsse:Password>',
    ],
    [`<apiKey>${SECRET}</apiKey>`, '<apiKey>[REDACTED:field]</apiKey>'],
    [`<token><![CDATA[${SECRET}]]></token>`, '<token><![CDATA[[REDACTED:field]]]></token>'],
    [`&lt;password&gt;${SECRET}&lt;/password&gt;`, '&lt;password&gt;[REDACTED:field]&lt;/password&gt;'],
    [`\\u003cpwd\\u003e${SECRET}\\u003c/pwd\\u003e`, '\\u003cpwd\\u003e[REDACTED:field]\\u003c/pwd\\u003e'],
    [`<property name="db.password">${SECRET}</property>`, '<property name="db.password">[REDACTED:field]</property>'],
    [`<add key="Password" value="${SECRET}"/>`, '<add key="Password" value="[REDACTED:password]"/>'],
    [`[{"name":"DB_PASSWORD","value":"${SECRET}"}] x`, '[{"name":"DB_PASSWORD","value":"[REDACTED:password]"}] x'],
    [`amqp:\\/\\/u:${SECRET}@host`, 'amqp:\\/\\/u:[REDACTED:url-credentials]@host'],
    [`amqp://u:p@${SECRET}/x@host:5672/`, 'amqp://u:[REDACTED:url-credentials]@host:5672/'],
    [`postgres://u:p/${SECRET}@db.internal/x`, 'postgres://u:[REDACTED:url-credentials]@db.internal/x'],
    [`ALTER USER a WITH PASSWORD '${SECRET}'`, "ALTER USER a WITH PASSWORD '[REDACTED:password]'"],
    [`CREATE USER a IDENTIFIED BY '${SECRET}'`, "CREATE USER a IDENTIFIED BY '[REDACTED:password]'"],
    [`ALTER USER a IDENTIFIED BY ${SECRET};`, 'ALTER USER a IDENTIFIED BY [REDACTED:password];'],
    [`SET PASSWORD FOR a = PASSWORD('${SECRET}')`, "SET PASSWORD FOR a = PASSWORD('[REDACTED:password]')"],
    [`SET PASSWORD FOR 'bob'@'%' = '${SECRET}'`, "SET PASSWORD FOR 'bob'@'%' = '[REDACTED:password]'"],
    [`SET PASSWORD = PASSWORD('${SECRET}')`, "SET PASSWORD = PASSWORD('[REDACTED:password]')"],
    [`set password for bob=old_password( "${SECRET}" )`, 'set password for bob=old_password( "[REDACTED:password]" )'],
    [`CREATE LOGIN a WITH PASSWORD = N'${SECRET}', x`, "CREATE LOGIN a WITH PASSWORD = N'[REDACTED:password]', x"],
    [`{'password': b'${SECRET}'}`, "{'password': b'[REDACTED:password]'}"],
    [`got {"auth":"${BASE64}"} x`, 'got {"auth":"[REDACTED:token]"} x'],
    [`got {\\"sid\\": \\"${BASE64}\\"} x`, 'got {\\"sid\\": \\"[REDACTED:token]\\"} x'],
    [
      `read {"auths":{"ghcr.io":{"auth":"${BASE64}"}}} from disk`,
      'read {"auths":{"ghcr.io":{"auth":"[REDACTED:token]"}}} from disk',
    ],
    [`got {"session":["${BASE64}","${BASE64}"]} x`, 'got {"session":[[REDACTED:token]]} x'],
    [`got {"sessionId":["${BASE64}"]} x`, 'got {"sessionId":[[REDACTED:token]]} x'],
    [`open app:p@${SECRET}@tcp(db:3306)/shop`, 'open app:[REDACTED:url-credentials]@tcp(db:3306)/shop'],
    [`dsn="app:${SECRET}@unix(/run/db.sock)/x"`, 'dsn="app:[REDACTED:url-credentials]@unix(/run/db.sock)/x"'],
    [
      `jdbc:oracle:thin:scott/${SECRET}@//host:1521/x`,
      'jdbc:oracle:thin:scott/[REDACTED:url-credentials]@//host:1521/x',
    ],
    [
      `  - name: DB_PASSWORD\n    value: ${SECRET}\n  - name: A`,
      '  - name: DB_PASSWORD\n    value: [REDACTED:field]\n  - name: A',
    ],
    [`- name: "API_KEY"\r\n  value: "a ${SECRET}"`, '- name: "API_KEY"\r\n  value: "[REDACTED:field]"'],
    [`SECRET_KEY_BASE=${SECRET}`, 'SECRET_KEY_BASE=[REDACTED:token]'],
    [`password_confirmation=${SECRET}`, 'password_confirmation=[REDACTED:password]'],
    [`user[password]=${SECRET}&x`, 'user[password]=[REDACTED:password]&x'],
    [`userPass=${SECRET}`, 'userPass=[REDACTED:password]'],
    [`pw: "${SECRET}"`, 'pw: "[REDACTED:password]"'],
    [`the password is ${SECRET}`, 'the password is [REDACTED:password]'],
    [`mysql -u root -p${SECRET} shop`, 'mysql -u root -p[REDACTED:password] shop'],
    [`JSESSIONID=0123456789ABCDEF`, 'JSESSIONID=[REDACTED:token]'],
    [`a\\nBasic ${SECRET}`, 'a\\nBasic [REDACTED:authorization]'],
    [`a\\npass=${SECRET}`, 'a\\npass=[REDACTED:password]'],
    [`a\\ncurl -u a:${SECRET} x`, 'a\\ncurl -u a:[REDACTED:password] x'],
    ['paid with\\n4111111111111111', 'paid with\\n[REDACTED:card-number]'],
  ])('is redacted: %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })
})

describe('ordinary text', () => {
  it.each([
    'task_live_migration_of_customer_accounts_finished',
    'risk_test_abcdefghijklmnopqrstuvwxyz in disk_live_0123456789abcdef0123456789abcdef',
    'task-20260102-import-customer-data and desk-3f786850e387550fdab8',
    'npm_3f786850e387550fdab836ed7e6dc881de23001b.tgz from npm_config_registry',
    'ASIAPACIFICREGIONALHEADQUARTERS and CZECHOSLOVAKIANREPRESENTATIVES',
    'foxoxo-gossipgirl, vmglrt-virtualmachines-of-hosts',
    'cache-key-d41d8cd98f00b204e9800998ecf8427e hit, TASKd41d8cd98f00b204e9800998ecf8427e',
    'hf_d41d8cd98f00b204e9800998ecf8427e00 vcp_da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'a user is identified by the email, an order identified by number',
    'usage: login <user> <password> [--port 22] or <token> at line 5 < end',
    '<passwordPolicy>strong</passwordPolicy><tokens>12</tokens><password></password>',
    'Processed session termination for sessionid: 0x24ee30a54f50019',
    'session_id=550e8400-e29b-41d4-a716-446655440000',
    'pulled docker://alpine:3.18@sha256:3f786850e387550fdab836ed7e6dc881de23001b',
    'open file://C:/Users/me@work/a.txt and http://h:8080/a@b.c/d',
    'https://[REDACTED:url-credentials]:[REDACTED:url-credentials]@github.com/',
    '[REDACTED:password]: must be longer, [REDACTED:token]=ok',
    'password "must contain a digit", password (again)',
    'docker login was slow, mysql --port=3306 -u root',
    'PASS: test_login2 and pass: 12/20, auth: oauth2',
    'token_type=Bearer expires_in=3600',
    'open root:@tcp(db:3306)/shop, jdbc:oracle:thin:@//host:1521/x',
    '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: db',
    '- name: MAX_TOKEN\n  value: 4096\n- name: PORT\n  value: "54321"',
    'set password for bob = given, SET PASSWORD FOR bob',
    'got {"auth":"oauth2","session":["550e8400-e29b-41d4-a716-446655440000"]} x',
    'ran 1//0 and http://a1//0b, took 5, 7 and 1//0_of_9',
    'eyJhbGciOiJkaXIifQ... and more',
  ])('is left alone where it resembles a secret: %s', (text) => {
    expect(redacted(text)).toBe(text)
  })

  it('stays whole where it is the base64 of an image, a hash or a UUID', () => {
    const bytes = (length: number) => Buffer.from(Array.from({ length }, () => pick(BYTES, 1).charCodeAt(0)))
    const texts = Array.from({ length: 20 }, () => [
      `data:image/png;base64,${bytes(6_000).toString('base64')}`,
      bytes(32).toString('hex'),
      bytes(64).toString('hex'),
    ]).flat()
    for (const text of texts) expect(redacted(text)).toBe(text)
  })

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

describe('a secret apart from its name', () => {
  it.each([
    // An object with the value, a list of header lines, a block of YAML.
    [`got {"password":{"value":"${SECRET}"}} x`, 'got {"password":{"value":"[REDACTED:password]"}} x'],
    [`got {"apiKey": { "value": "${SECRET}" }} x`, 'got {"apiKey": { "value": "[REDACTED:token]" }} x'],
    [`got ["Host","a.example","X-Api-Key","${SECRET}"]`, 'got ["Host","a.example","X-Api-Key","[REDACTED:token]"]'],
    [`a: 1\npassword: |\n  ${SECRET}\nb: 2`, 'a: 1\npassword: |\n  [REDACTED:password]\nb: 2'],
    [`password: >-\n    ${SECRET}\n    and more\n  b: 2`, 'password: >-\n    [REDACTED:password]\n  b: 2'],
    [`password: |\n  it's "${SECRET}"\nb: 2`, 'password: |\n  [REDACTED:password]\nb: 2'],
    [`{"d":"secret: >\\n  a\\"${SECRET}\\\\"}`, '{"d":"secret: >\\n  [REDACTED:token]"}'],
    [`{"d":"token: |\\n  ${SECRET}\\nb: 2"}`, '{"d":"token: |\\n  [REDACTED:token]\\nb: 2"}'],
    // Colours, HTML, options with one dash, lists of Java, strings of PostgreSQL.
    [`\u001b[36mpassword\u001b[0m=${SECRET} x`, '\u001b[36mpassword\u001b[0m=[REDACTED:password] x'],
    [`{&quot;password&quot;:&quot;${SECRET}&quot;}`, '{&quot;password&quot;:&quot;[REDACTED:password]&quot;}'],
    [`&#34;api_key&#34;: &#34;${SECRET}&#34;`, '&#34;api_key&#34;: &#34;[REDACTED:token]&#34;'],
    [`server -password ${SECRET} -port 80`, 'server -password [REDACTED:password] -port 80'],
    [`New-User -Password "${SECRET}" -Name ada`, 'New-User -Password "[REDACTED:password]" -Name ada'],
    [`server -auth-token ${SECRET}`, 'server -auth-token [REDACTED:token]'],
    [`[mysql, --password, ${SECRET}, shop]`, '[mysql, --password, [REDACTED:password], shop]'],
    [`"mysql" "--password" "${SECRET}" "shop"`, '"mysql" "--password" "[REDACTED:password]" "shop"'],
    [`ALTER ROLE a PASSWORD E'${SECRET}'`, "ALTER ROLE a PASSWORD E'[REDACTED:password]'"],
    [`ALTER ROLE a PASSWORD\n  '${SECRET}'`, "ALTER ROLE a PASSWORD\n  '[REDACTED:password]'"],
    [`CREATE USER a IDENTIFIED\nBY '${SECRET}'`, "CREATE USER a IDENTIFIED\nBY '[REDACTED:password]'"],
    [`{"rt":"1\\/\\/0g${pick(ALNUM, 62)}"}`, '{"rt":"[REDACTED:google-oauth]"}'],
    [`DB_PWD=/${SECRET} x`, 'DB_PWD=[REDACTED:password] x'],
    // Cards after a percent escape.
    ['GET /q?d=charging%204539673843635992%20now', 'GET /q?d=charging%20[REDACTED:card-number]%20now'],
    ['n=%224539673843635992%22', 'n=%22[REDACTED:card-number]%22'],
    ['q=card%253D4539673843635992', 'q=card%253D[REDACTED:card-number]'],
  ])('is redacted: %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })

  it('leaves other escapes of the text as they are written', () => {
    const text = `https%3A%2F%2Fh%2F%3F%70assword%3D${SECRET}`
    expect(redacted(text)).toBe('https%3A%2F%2Fh%2F%3Fpassword%3D[REDACTED:password]')
  })

  it.each([
    'PWD=/home/app/current OLDPWD=/srv pwd: /var/www/html pwd="~/x" pwd=C:\\\\apps',
    'GET /items?next_token=AAQA-EFRSURBSGdVdWd3Z0xyZ1hOeHFWUDh3 nextPageToken=EAAaBlBUOkNBVQ',
    'NextToken: eyJuZXh0IjoxMjN9 ContinuationToken=1ueGcxLPRx1Tr syncToken=CPDAlvWDx70CEPDA',
    'called +4915112345678 and tel:+4915112345678',
    'password: |\nnext: line',
    'password: string\ntoken: string',
    'got ["token","password","email"] and ["secret","expired already"]',
    'got {"password":{"minLength":8}} x',
    'reset-password twice, pre-token 12 and non-password fields',
    'run it with -password or -token to sign in',
    'IDENTIFIED BY clause missing',
    'd=17%204242%20now%204242424242424241',
  ])('is left alone where it resembles a secret: %s', (text) => {
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
    'a:b@tcp(',
    ':@tcp(',
    'jdbc:oracle:thin:a/',
    'name: PASSWORD\n value: "',
    '--password "',
    '["--token","',
    '--a-',
    'set password for ',
    'set password = (',
    '"auth":["',
    '"auth":["a",',
    '"sid":"a"',
    '1//0',
    'eyJhbGciOiJk..',
    '<password>',
    '<password ',
    'user[password]',
    '://a:b@',
    '://a:b@c/',
    'password: |\n  a\n',
    'password: |\n',
    '-password ',
    '\u001b[1mpassword',
    '&quot;password&quot;:',
    '{"password":{"value":',
    '["X-Api-Key",',
    '%2042',
    'identified by ',
    'password(',
    'mysql -',
    'session_id=',
    'a_live_',
    'EAAA',
    '.atlasv1.',
    '-----BEGIN PRIVATE KEY-----',
    '?sig=',
    'u%3D',
    'a%2520',
    '%25',
    'sig%3D+',
    '\\',
    '"',
    `'`,
  ]
  it.each(PIECES)('costs time in proportion to its length: %s', (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length))
    // A square of the length would take minutes.
    const cost = cpuMsOf(() => [text, `password="${text}`, `cookie: a=${text}`].map((one) => redacted(one)))
    expect(cost).toBeLessThan(15_000)
  })
})
