import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../model/log-record.ts'
import { cpuMsOf } from '../testing/cpu-time.ts'
import { compileRedaction, redactSample } from './redact.ts'
import { NO_REDACTION_CHANGES } from './settings.ts'

function record(overrides: Partial<LogRecord>): LogRecord {
  return {
    timeUs: 0,
    level: 'info',
    environment: 'production',
    environmentDefaulted: false,
    service: '',
    host: '',
    logger: '',
    release: '',
    traceId: '',
    spanId: '',
    message: 'hello',
    truncated: false,
    error: null,
    attributes: new Map(),
    ...overrides,
  }
}

describe('a record', () => {
  it('loses values under secret names inside arrays and structured messages, which are kept as JSON', () => {
    const counts = new Map<string, number>()
    const users = JSON.stringify([{ name: 'ada', ssn: '123-45-6789', nested: { client_secret: 'abc', cookie: '' } }])
    const target = record({ message: '{"text":"paid","cvv":123}', attributes: new Map([['users', users]]) })
    compileRedaction(NO_REDACTION_CHANGES).record(target, counts)
    expect(target.attributes.get('users')).toBe(
      '[{"name":"ada","ssn":"[REDACTED:field]","nested":{"client_secret":"[REDACTED:field]","cookie":""}}]',
    )
    expect(target.message).toBe('{"text":"paid","cvv":"[REDACTED:field]"}')
    expect(counts.get('field')).toBe(3)
  })

  it.each([
    [' \n {"cvv":"123"}', '{"cvv":"[REDACTED:field]"}'],
    ['{"cvv" : 123}', '{"cvv":"[REDACTED:field]"}'],
    ['{"ssn":"078-05-1120","ssn":""}', '{"ssn":""}'],
    ['{"a":{"\\u0073sn":"078-05-1120","ssn":null},"n":1}', '{"a":{"ssn":null},"n":1}'],
  ])('loses what stands under a secret name in %j, whatever its form', (message, expected) => {
    const target = record({ message })
    compileRedaction(NO_REDACTION_CHANGES).record(target, new Map())
    expect(target.message).toBe(expected)
  })

  it('loses the second and third value of a secret name', () => {
    const values = ['password', 'password#2', 'a.token#17', 'tag.api_key#3'].map((name) => [name, 'hunter'] as const)
    const target = record({ attributes: new Map([...values, ['task#2', 'hunter']]) })
    compileRedaction(NO_REDACTION_CHANGES).record(target, new Map())
    const kept = [...target.attributes].filter(([, value]) => value === 'hunter').map(([name]) => name)
    expect(kept).toEqual(['task#2'])
  })

  it('does not write JSON anew for a secret name that is empty', () => {
    const message = '{"a":"say \\"token\\"", "token":"", "big":12345678901234567890}'
    const target = record({ message })
    compileRedaction(NO_REDACTION_CHANGES).record(target, new Map())
    expect(target.message).toBe(message)
  })

  it('keeps text that only looks like JSON to the letter', () => {
    const message = '[worker] "token": unfinished {"a": 1,'
    const target = record({ message, attributes: new Map([['list', '[ {"a" : 1} ]']]) })
    compileRedaction(NO_REDACTION_CHANGES).record(target, new Map())
    expect(target.message).toBe(message)
    expect(target.attributes.get('list')).toBe('[ {"a" : 1} ]')
  })

  it('loses its secrets everywhere but in the environment', () => {
    const secret = `npm${'_'}${'a1B2'.repeat(9)}`
    const counts = new Map<string, number>()
    const target = record({
      message: `m ${secret}`,
      environment: secret,
      service: secret,
      host: secret,
      logger: secret,
      release: secret,
      error: { type: secret, message: `e ${secret}`, stack: `s\n ${secret}` },
      attributes: new Map([
        ['note', `a ${secret}`],
        ['count', 7],
      ] as [string, string | number][]),
    })
    compileRedaction(NO_REDACTION_CHANGES).record(target, counts)
    expect(target.environment).toBe(secret)
    expect(JSON.stringify({ ...target, environment: '', attributes: [...target.attributes] })).not.toContain(secret)
    expect(target.attributes.get('count')).toBe(7)
    expect(counts).toEqual(new Map([['npm-token', 9]]))
  })

  it('loses the secrets in its trace and span id, and keeps what is plainly an id', () => {
    const secret = `npm${'_'}${'a1B2'.repeat(9)}`
    const counts = new Map<string, number>()
    const target = record({ traceId: secret, spanId: `request of Bearer ${'a1B2'.repeat(9)}` })
    compileRedaction(NO_REDACTION_CHANGES).record(target, counts)
    expect(target).toMatchObject({
      traceId: '[REDACTED:npm-token]',
      spanId: 'request of Bearer [REDACTED:authorization]',
    })
    expect(counts).toEqual(
      new Map([
        ['npm-token', 1],
        ['authorization', 1],
      ]),
    )
    for (const id of ['4bf92f3577b34da6a3ce929d0e0e4736', '4111111111111111', '550e8400-e29b-41d4-a716-446655440000']) {
      const plain = record({ traceId: id, spanId: id })
      compileRedaction(NO_REDACTION_CHANGES).record(plain, counts)
      expect(plain).toMatchObject({ traceId: id, spanId: id })
    }
  })

  it('loses the secrets in the names of its attributes, which stay in their order', () => {
    const secret = (letter: string) => `npm${'_'}${letter.repeat(36)}`
    const counts = new Map<string, number>()
    const target = record({
      attributes: new Map<string, string | number>([
        ['first', 1],
        [`by.${secret('a')}`, 2],
        [`by.${secret('b')}`, `x ${secret('c')}`],
        ['by.[REDACTED:npm-token]#2', 4],
        ['https://ada:Hunter22@db/', 'up'],
        ['last', 5],
      ]),
    })
    compileRedaction(NO_REDACTION_CHANGES).record(target, counts)
    expect([...target.attributes]).toEqual([
      ['first', 1],
      ['by.[REDACTED:npm-token]', 2],
      ['by.[REDACTED:npm-token]#3', 'x [REDACTED:npm-token]'],
      ['by.[REDACTED:npm-token]#2', 4],
      ['https://ada:[REDACTED:url-credentials]@db/', 'up'],
      ['last', 5],
    ])
    expect(counts).toEqual(
      new Map([
        ['npm-token', 3],
        ['url-credentials', 1],
      ]),
    )
  })

  it.each([
    'password',
    'user.password',
    'Passwd',
    'secret',
    'token',
    'accessToken',
    'refresh-token',
    'http.request.headers.authorization',
    'Cookie',
    'Set-Cookie',
    'headers.cookie',
    'request.cookies.sid',
    'cookies',
    'api_key',
    'apiKey',
    'apikey',
    'x-api-key',
    'access_key',
    'private_key',
    'client_secret',
    'ssn',
    'card',
    'cvv',
    'DB_PASSWORD',
  ])('hides the value of the attribute %s whatever it is', (key) => {
    for (const value of ['x', 123]) {
      const target = record({ attributes: new Map([[key, value]]) })
      compileRedaction(NO_REDACTION_CHANGES).record(target, new Map())
      expect(target.attributes.get(key)).toBe('[REDACTED:field]')
    }
  })

  it.each(['[REDACTED]', '[REDACTED:field]', '[REDACTED:our-rule]'])('keeps %s, which is no secret', (value) => {
    const list = JSON.stringify([{ password: value }])
    expect(hidden({ password: value, list })).toEqual({ password: value, list })
  })

  it.each(['[REDACTED] Hunter22', '[REDACTED', '[REDACTED:field] x', 'x [REDACTED]', '[REDACTED:a][REDACTED:b]'])(
    'hides %s, which has more than a placeholder',
    (value) => {
      const list = JSON.stringify([{ password: value }, { password: ['[REDACTED]', 'Hunter22'] }])
      expect(hidden({ password: value, list })).toEqual({
        password: '[REDACTED:field]',
        list: '[{"password":"[REDACTED:field]"},{"password":"[REDACTED:field]"}]',
      })
    },
  )

  function hidden(attributes: Record<string, string>): Record<string, unknown> {
    const target = record({ attributes: new Map(Object.entries(attributes)) })
    compileRedaction(NO_REDACTION_CHANGES).record(target, new Map())
    return Object.fromEntries(target.attributes)
  }

  it.each([
    'max_tokens',
    'tokens',
    'passwordless',
    'cardinality',
    'secretary',
    'cookies_enabled',
    'password.length',
    'next_token',
    'list.nextPageToken',
  ])('leaves the attribute %s alone', (key) => {
    const target = record({ attributes: new Map([[key, 'x']]) })
    compileRedaction(NO_REDACTION_CHANGES).record(target, new Map())
    expect(target.attributes.get(key)).toBe('x')
  })

  it.each([
    'SECRET_KEY_BASE',
    'password_confirmation',
    'dbpassword',
    'clientSecret',
    'x-vault-token',
    'Ocp-Apim-Subscription-Key',
    'passwort',
    'token2',
  ])('hides the value of the attribute %s', (key) => {
    expect(hidden({ [key]: 'x' })).toEqual({ [key]: '[REDACTED:field]' })
  })

  it('hides what looks like a credential under a name that may promise one', () => {
    const secrets = {
      pass: 'Hunter22',
      userPass: 'hunter22',
      'db.pw': 'h#unter',
      sessionId: 'k3JdQ7z9mmXwk3Jd',
      auth: 'Basic dTpwYXNz',
    }
    expect(Object.values(hidden(secrets))).toEqual(Object.keys(secrets).map(() => '[REDACTED:field]'))
    const others = {
      pass: 'second',
      test_pass: 'true',
      pw: '12',
      auth: 'oauth2',
      sessionId: '550e8400-e29b-41d4-a716-446655440000',
    }
    expect(hidden(others)).toEqual(others)
  })

  it('hides lists that contain a credential under a name that may promise one', () => {
    const credential = Buffer.from('ada:Hunter22x-and-more').toString('base64')
    const uuids = '["550e8400-e29b-41d4-a716-446655440000"]'
    expect(
      hidden({
        sessionId: JSON.stringify(['x', credential]),
        auth: JSON.stringify([credential]),
        request: JSON.stringify({ auth: [credential], pass: [1, 'Hunter22'], session: ['guest'] }),
        'user.session': uuids,
        pass: '[12, 20]',
        'db.pass': '["unfinished',
      }),
    ).toEqual({
      sessionId: '[REDACTED:field]',
      auth: '[REDACTED:field]',
      request: '{"auth":"[REDACTED:field]","pass":"[REDACTED:field]","session":["guest"]}',
      'user.session': uuids,
      pass: '[12, 20]',
      'db.pass': '["unfinished',
    })
    const counts = new Map<string, number>()
    const copy = compileRedaction(NO_REDACTION_CHANGES).value({ auth: [credential], session: ['guest'] }, counts)
    expect(copy).toEqual({ auth: '[REDACTED:field]', session: ['guest'] })
  })

  it('hides the value inside an object with a secret name, and form fields with one', () => {
    const secrets = {
      'password.value': 'hunter',
      'db.token.value': 'hunter',
      'credentials.0': 'hunter',
      'cookie.session.value': 'hunter',
      'user[password]': 'hunter',
      'password[0]': 'hunter',
      passwords: '["hunter"]',
    }
    expect(Object.values(hidden(secrets))).toEqual(Object.keys(secrets).map(() => '[REDACTED:field]'))
    const others = { 'token.type': 'bearer', 'password.hint': 'dog', 'user[name]': 'ada', 'field.value': 'x' }
    expect(hidden(others)).toEqual(others)
  })

  it('keeps working directories and positions in a list', () => {
    const others = {
      pwd: '/var/www',
      'process.env.PWD': '/home/app',
      syncToken: 'CPDAlvWDx70C',
      cancellationToken: 'none',
    }
    expect(hidden(others)).toEqual(others)
    const secrets = { pwd: 'hunter', 'db.pwd': '/hunter/', 'app.env.DB_PWD': '/hunter/' }
    expect(Object.values(hidden(secrets))).toEqual(Object.keys(secrets).map(() => '[REDACTED:field]'))
  })

  it('loses a password in a list of arguments, whether the list is an attribute or inside a value', () => {
    const { value } = compileRedaction(NO_REDACTION_CHANGES)
    const argv = ['mysqld', '--password', 'correcthorse', '-v']
    const expected = ['mysqld', '--password', '[REDACTED:password]', '-v']
    expect(hidden({ argv: JSON.stringify(argv) })).toEqual({ argv: JSON.stringify(expected) })
    expect(value({ run: { argv } }, new Map())).toEqual({ run: { argv: expected } })
    expect(value([['a', 1], [], ['x "y', '\n']], new Map())).toEqual([['a', 1], [], ['x "y', '\n']])
  })

  it('loses a secret in an encoded parameter of an address, in values and in the names of attributes', () => {
    const encoded = (secret: string) => `https://a/?u=https%3A%2F%2Fb%3Fsv%3D1%26sig%3D${secret}&n=1`
    const given = encoded('0123456789abcdef'.repeat(4))
    const { value } = compileRedaction(NO_REDACTION_CHANGES)
    const redacted = encoded('[REDACTED:token]')
    expect(value({ url: given, [given]: 1 }, new Map())).toEqual({ url: redacted, [redacted]: 1 })
  })

  it('loses a card number that is a part of the name of an attribute, and keeps other numbers there', () => {
    const names = ['card.4539673843635992', '4539673843635992.seen', 'a.4539-6738-4363-5992#2', 'a.378282246310005.b']
    const kept = ['us.1767323045678901', 'a.4539673843635993', 'a.x4539673843635992', 'a.45396738436359921234567']
    const target = record({ attributes: new Map([...names, ...kept].map((name) => [name, 1])) })
    compileRedaction(NO_REDACTION_CHANGES).record(target, new Map())
    expect([...target.attributes.keys()]).toEqual([
      'card.[REDACTED:card-number]',
      '[REDACTED:card-number].seen',
      'a.[REDACTED:card-number]#2',
      'a.[REDACTED:card-number].b',
      ...kept,
    ])
  })

  it('loses a card number that is a JSON number, and keeps sizes, times and ids', () => {
    const target = record({
      message: '{"card_no":4111111111111111}',
      attributes: new Map([
        ['paidWith', 4111111111111111],
        ['amex', 378282246310005],
        ['us', 1767323045678901],
        ['bytes', 4000787030016],
        ['ratio', 4111.5],
      ]),
    })
    compileRedaction(NO_REDACTION_CHANGES).record(target, new Map())
    expect(target.message).toBe('{"card_no":"[REDACTED:card-number]"}')
    expect([...target.attributes.values()]).toEqual([
      '[REDACTED:card-number]',
      '[REDACTED:card-number]',
      1767323045678901,
      4000787030016,
      4111.5,
    ])
  })

  it('leaves null, booleans and empty texts under a secret name, because they tell nothing', () => {
    const attributes = new Map<string, string | boolean | null>([
      ['token', null],
      ['a.token', false],
      ['b.token', ''],
    ])
    const target = record({ attributes: new Map(attributes) })
    compileRedaction(NO_REDACTION_CHANGES).record(target, new Map())
    expect(target.attributes).toEqual(attributes)
  })
})

describe('settings', () => {
  it('adds own patterns and own fields', () => {
    const settings = { disabled: [], rules: [{ name: 'employee', pattern: 'emp-[0-9]{4}' }], fields: ['nickName'] }
    expect(redactSample(settings, 'emp-1234 met emp-9876')).toEqual({
      text: '[REDACTED:employee] met [REDACTED:employee]',
      redactions: { employee: 2 },
    })
    const target = record({ attributes: new Map([['user.nick_name', 'Bo']]) })
    compileRedaction(settings).record(target, new Map())
    expect(target.attributes.get('user.nick_name')).toBe('[REDACTED:field]')
  })

  it('switches built-in rules off by name', () => {
    const text = 'password=hunter2hunter2'
    expect(redactSample({ disabled: ['password'], rules: [], fields: [] }, text).text).toBe(text)
    const target = record({ attributes: new Map([['password', 'x']]) })
    compileRedaction({ disabled: ['field'], rules: [], fields: [] }).record(target, new Map())
    expect(target.attributes.get('password')).toBe('x')
  })

  it('compiles equal settings once, also when they are copies', () => {
    const settings = { disabled: [], rules: [{ name: 'once', pattern: 'once-[0-9]+' }], fields: [] }
    expect(compileRedaction(structuredClone(settings))).toBe(compileRedaction(settings))
  })

  it('runs own patterns in linear time', () => {
    const settings = { disabled: [], rules: [{ name: 'evil', pattern: '(a+)+$' }], fields: [] }
    expect(cpuMsOf(() => redactSample(settings, `${'a'.repeat(20_000)}b`))).toBeLessThan(5_000)
  })
})
