/** The fast path against the plain one for OTLP in JSON: rows, counts, rejections and refusals are the same to the byte. */
import { describe, expect, it } from 'vitest'
import { expectSame } from '../testing/both-ways.ts'
import { madeUpOtlpJson } from '../testing/made-up-otlp-json.ts'
import { otlpBothWays } from '../testing/otlp-both-ways.ts'
import { RECEIVED_US } from '../testing/read-body.ts'
import { takenFastOfJson } from '../testing/taken-fast.ts'

const JSON_BODY = { type: 'application/json' }
const NANOS = BigInt(RECEIVED_US) * 1_000n
const DAY_NANOS = 86_400_000_000_000n

const text = (value: string) => `{"stringValue":${JSON.stringify(value)}}`
const pair = (key: string, value = text('x')) => `{"key":${JSON.stringify(key)},"value":${value}}`
const record = (...members: string[]) => `{${members}}`
const body = (value: string) => `"body":${text(value)}`
const attributes = (...pairs: string[]) => `"attributes":[${pairs}]`
const usual = record(`"timeUnixNano":"${NANOS}"`, '"severityNumber":9', body('m'), attributes(pair('n')))

type Group = { resource?: string; scope?: string; records: string | string[] }

function request(...groups: Group[]): string {
  const written = groups.map(({ resource, scope, records }) => {
    const logs = `{${scope === undefined ? '' : `"scope":${scope},`}"logRecords":[${records}]}`
    return `{${resource === undefined ? '' : `"resource":${resource},`}"scopeLogs":[${logs}]}`
  })
  return `{"resourceLogs":[${written}]}`
}

const alone = (...members: string[]) => request({ records: record(...members) })
const resourceOf = (...pairs: string[]) => `{${attributes(...pairs)}}`

describe('the fast path and the plain path of OTLP in JSON', () => {
  otlpBothWays({
    sent: JSON_BODY,
    madeUp: madeUpOtlpJson,
    seed: 20_260_119,
    requests: Math.ceil(Number(process.env.TIDEMARK_FUZZ_LINES ?? 5_000) / 50),
    requestsOfSetting: 60,
    takenFast: takenFastOfJson,
    fastOneIn: 12,
    everywhere,
  })

  it('do the same with a request that is cut off anywhere, and with any byte of it another', () => {
    const whole = Buffer.from(
      request({
        resource: `{${attributes(pair('service.name', text('cart')), pair('pid', '{"intValue":"300"}'))},"droppedAttributesCount":0}`,
        scope: `{"name":"app","version":"7",${attributes(pair('s'))}}`,
        records: [
          record(
            `"timeUnixNano":"${NANOS}"`,
            '"severityNumber":9',
            '"severityText":"INFO"',
            body('größe 12'),
            attributes(pair('n', text('12')), pair('b', '{"boolValue":true}'), pair('d', '{"doubleValue":1.5}')),
            '"droppedAttributesCount":0,"flags":1',
            `"traceId":"${'ab'.repeat(16)}"`,
            '"eventName":""',
          ),
          usual,
        ],
      }),
    )
    expect(takenFastOfJson(whole)).toBe(2)
    for (let at = 0; at <= whole.length; at++) expectSame(whole.subarray(0, at), JSON_BODY)
    for (let at = 0; at < whole.length; at++) {
      for (const byte of Buffer.from('"\\}], 0')) {
        const other = Buffer.from(whole)
        other[at] = byte
        expectSame(other, JSON_BODY)
      }
      expectSame(Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]), JSON_BODY)
    }
  })

  it.each([
    ['nothing', '{"resourceLogs":[]}', 0],
    ['no list', '{"resourceLogs":{}}', 0],
    ['no scopes', '{"resourceLogs":[{"resource":{},"scopeLogs":[]}]}', 0],
    ['no records', request({ records: [] }), 0],
    ['white space everywhere', usualWithSpaces(' \n\t\r '), 1],
    ['white space that is none', usualWithSpaces('\u000b'), 0],
    ['something after it', `${request({ records: usual })}x`, 0],
    ['another document after it', `${request({ records: usual })}\n${request({ records: usual })}`, 0],
    ['a second member', `${request({ records: usual }).slice(0, -1)},"x":1}`, 0],
    ['resources twice', `${request({ records: usual }).slice(0, -1)},"resourceLogs":[]}`, 0],
    [
      'a resource after its records',
      `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${usual}]}],"resource":${resourceOf(pair('r'))}}]}`,
      0,
    ],
    [
      'a scope after its records',
      `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${usual}],"scope":{"name":"s"}}]}]}`,
      0,
    ],
    [
      'the addresses of schemas',
      `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${usual}],"schemaUrl":"u"}],"schemaUrl":""}]}`,
      1,
    ],
    ['a resource with the name of an attribute', request({ resource: resourceOf(pair('n')), records: usual }), 0],
    ['a resource with an escape', request({ resource: resourceOf(pair('a', text('x\n'))), records: usual }), 0],
    ['a resource with a NUL', request({ resource: resourceOf(pair('a', text('x\0'))), records: [usual, usual] }), 0],
    [
      'a resource with a secret',
      request({ resource: resourceOf(pair('a', text('password=hunter2hunter2'))), records: usual }),
      0,
    ],
    ['a resource with the name of a secret', request({ resource: resourceOf(pair('api_key')), records: usual }), 0],
    ['a resource with a message', request({ resource: resourceOf(pair('log.message')), records: usual }), 0],
    ['a resource that says nothing', request({ resource: '{}', scope: '{}', records: usual }), 1],
    [
      'a scope with its attributes before its version',
      request({ scope: `{${attributes(pair('s'))},"version":"7"}`, records: usual }),
      0,
    ],
    ['a scope with a version alone', request({ scope: '{"version":"7"}', records: usual }), 1],
    ['a scope with a name that is empty', request({ scope: '{"name":"","version":""}', records: usual }), 1],
    [
      'a half surrogate in another record',
      request({ records: [usual, record('"body":{"stringValue":"\\ud83d"}'), usual] }),
      2,
    ],
    ['two bodies', alone(body('a'), body('b')), 0],
    ['an empty body', alone(body('')), 0],
    ['a body that is a list', alone('"body":{"arrayValue":{"values":[{"stringValue":"a"}]}}'), 0],
    ['a body that is JSON with a secret name', alone(body('{"cvv":"123"}')), 0],
    ['a body with two values', alone('"body":{"stringValue":"a","intValue":"1"}'), 0],
    ['an attribute with two values', alone(body('m'), attributes(pair('a', '{"stringValue":"a","intValue":"1"}'))), 0],
    [
      'an attribute whose value comes first',
      alone(body('m'), attributes('{"value":{"stringValue":"x"},"key":"a"}')),
      0,
    ],
    ['a key that is longer than the name of a field', alone(body('m'), attributes(pair('service.name '))), 1],
    ['an id of zeros', alone(body('a'), `"traceId":"${'0'.repeat(32)}"`), 0],
    ['an id that begins with zeros', alone(body('a'), `"traceId":"${'0'.repeat(31)}1"`), 1],
    ['an id in capitals', alone(body('a'), '"traceId":"4BF92F3577B34DA6A3CE929D0E0E4736"'), 0],
    ['an id in base64', alone(body('a'), '"spanId":"q83vEqvN7xI="'), 0],
    ['an id that is empty', alone(body('a'), '"spanId":""'), 1],
    ['an id that is too long', alone(body('a'), `"spanId":"${'a'.repeat(300)}"`), 0],
    ['an id twice', alone(body('a'), '"traceId":"abcd"', attributes(pair('trace_id', text('ab')))), 0],
    ['an id among the attributes', alone(body('a'), attributes(pair('trace_id', text('ab')))), 1],
    ['a time among the attributes', alone(body('a'), attributes(pair('timestamp', text('2026-01-01T00:00:00Z')))), 1],
    ['a level among the attributes', alone(body('a'), attributes(pair('log.level', text('warn')))), 0],
    ['an error', alone('"severityNumber":17', body('a')), 0],
    ['an error by its text', alone('"severityText":"ERROR"', body('a')), 0],
    ['the name of a severity', alone('"severityNumber":"SEVERITY_NUMBER_WARN"', body('a')), 0],
    ['a text that says another level', alone('"severityNumber":9,"severityText":"WARN"', body('a')), 0],
    ['the text of a level alone', alone('"severityText":"WARN"', body('a')), 1],
    ['no level', alone('"severityNumber":0,"severityText":""', body('a')), 1],
    ['only the observed time', alone(body('a'), `"timeUnixNano":"0","observedTimeUnixNano":"${NANOS - DAY_NANOS}"`), 1],
    ['a time that is a number', alone(body('a'), `"timeUnixNano":${NANOS}`), 0],
    ['a time with a zero in front', alone(body('a'), `"timeUnixNano":"0${NANOS}"`), 0],
    ['a time of a few nanoseconds', alone(body('a'), '"timeUnixNano":"5"'), 0],
    ['a time that no double holds', alone(body('a'), '"timeUnixNano":"9999999999999999999"'), 0],
    ['a time too far ahead', alone(body('a'), `"timeUnixNano":"${NANOS + DAY_NANOS + 1_000n}"`), 0],
    ['the time furthest ahead', alone(body('a'), `"timeUnixNano":"${NANOS + DAY_NANOS + 999n}"`), 1],
    ['the oldest time', alone(body('a'), `"timeUnixNano":"${NANOS - 30n * DAY_NANOS}"`), 1],
    ['attributes that were left out', alone(body('a'), '"droppedAttributesCount":2'), 0],
    ['the name of an event', alone(body('a'), '"eventName":"paid"'), 0],
    ['a field that is to come', alone(body('a'), '"future":1'), 0],
    ['a name with white space at its end', alone(body('a'), '"flags ":1'), 0],
    [
      'integers',
      alone(
        body('a'),
        attributes(
          ...['"7"', '"-7"', '7', '"1.5"', '"01"', '""', '" 7"'].map((value, at) =>
            pair(`a${at}`, `{"intValue":${value}}`),
          ),
        ),
      ),
      0,
    ],
    [
      'usual integers',
      alone(
        body('a'),
        attributes(...['"7"', '"-7"', '7', '1.5'].map((value, at) => pair(`a${at}`, `{"intValue":${value}}`))),
      ),
      1,
    ],
    [
      'texts that read as numbers',
      alone(body('a'), attributes(pair('a', text('12')), pair('b', text('true')), pair('c', text('')))),
      1,
    ],
  ])('do the same with %s', (_, bytes, fast) => {
    for (const type of ['application/json', 'text/plain']) expectSame(bytes, { type })
    expect(takenFastOfJson(bytes)).toBe(fast)
  })

  it.each([
    [64, 1, true],
    [65, 1, false],
    [256, 1, false],
    [257, 0, false],
  ])('do the same with %i attributes, a record’s own and those of its resource', (count, accepted, isFast) => {
    for (const own of [count, count - 1, 0]) {
      const ofRecord = Array.from({ length: own }, (_, at) => pair(`a${at}`))
      const shared = Array.from({ length: count - own }, (_, at) => pair(`b${at}`, `{"intValue":"${at}"}`))
      const bytes = request({ resource: resourceOf(...shared), records: record(body('m'), attributes(...ofRecord)) })
      expect(expectSame(bytes, JSON_BODY)).toBe(accepted)
      expect(takenFastOfJson(bytes)).toBe(isFast ? 1 : 0)
    }
  })

  it('do the same at the limits of a request', () => {
    const small = record(body('m'))
    expect(expectSame(request({ records: Array(50_001).fill(small) }), JSON_BODY)).toBe(0)
    expect(expectSame(request({ records: Array(50_000).fill(small) }), JSON_BODY)).toBe(50_000)
    // Of the document around, the record beside it, and the wide one's own.
    const around = 6 + 2 + 1 + 8
    const wide = (values: number) =>
      record(body('m'), `"attributes":[{"key":"a","value":{"arrayValue":[${'1,'.repeat(values - around)}1]}}]`)
    for (const [values, accepted] of [
      [2_000_000, 2],
      [2_000_001, 0],
    ] as const) {
      expect(expectSame(request({ records: [wide(values), small] }), JSON_BODY)).toBe(accepted)
      expect(expectSame(request({ records: [small, wide(values)] }), JSON_BODY)).toBe(accepted)
    }
    for (const depth of [25, 26, 27, 28]) {
      const deep = `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
      expectSame(request({ records: [small, deep] }), JSON_BODY)
      expectSame(request({ resource: deep, records: small }), JSON_BODY)
      expectSame(request({ scope: deep, records: small }), JSON_BODY)
    }
    for (const depth of [28, 29, 30]) {
      const deep = `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
      expectSame(request({ resource: deep, records: small }), JSON_BODY)
    }
    const days = Array.from({ length: 9 }, (_, day) =>
      record(body('m'), `"timeUnixNano":"${NANOS - BigInt(day) * DAY_NANOS}"`),
    )
    expect(expectSame(request({ records: days }), JSON_BODY)).toBe(0)
    expect(expectSame(request({ records: days.slice(1) }), JSON_BODY)).toBe(8)
  })

  it('do the same when strangers send more names than are remembered', () => {
    const records = Array.from({ length: 3_000 }, (_, at) => record(body('m'), attributes(pair(`n${at}`), pair('z'))))
    const bytes = request({ resource: resourceOf(pair('service.name')), records })
    expect(expectSame(bytes, JSON_BODY)).toBe(3_000)
    expect(takenFastOfJson(bytes)).toBeGreaterThan(2_900)
    const groups = Array.from({ length: 2_500 }, (_, at) => ({
      resource: resourceOf(pair('z'), pair(`r${at}`)),
      records: usual,
    }))
    expect(expectSame(request(...groups), JSON_BODY)).toBe(2_500)
    expect(takenFastOfJson(request(...groups))).toBeGreaterThan(2_400)
  })
})

function usualWithSpaces(space: string): string {
  return request({ resource: resourceOf(pair('r')), scope: '{"name":"s"}', records: usual }).replace(
    /"[^"]*"|[{}[\],:]/g,
    (token) => `${space}${token}${space}`,
  )
}

function everywhere(said: string): string[] {
  return [
    alone(body(said)),
    alone(body('m'), attributes(pair('said', text(said)))),
    alone(body('m'), attributes(pair(said))),
    alone(body('m'), attributes(pair('trace_id', text(said)))),
    alone(body('m'), `"spanId":${JSON.stringify(said)}`),
    request({ scope: `{"name":${JSON.stringify(said)}}`, records: usual }),
    request({ scope: `{"version":${JSON.stringify(said)}}`, records: usual }),
    request({ resource: resourceOf(pair('said', text(said))), records: usual }),
    request({ resource: resourceOf(pair('service.name', text(said))), records: usual }),
    request({ resource: resourceOf(pair(said)), records: usual }),
  ]
}
