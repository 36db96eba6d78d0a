/** The fast path against the plain one for OTLP in protobuf: rows, counts, rejections and refusals are the same to the byte. */
import { describe, expect, it } from 'vitest'
import { expectSame } from '../testing/both-ways.ts'
import { madeUpOtlp } from '../testing/made-up-otlp.ts'
import { otlpBothWays } from '../testing/otlp-both-ways.ts'
import * as otlp from '../testing/otlp-bytes.ts'
import { RECEIVED_US } from '../testing/read-body.ts'
import { takenFast } from '../testing/taken-fast.ts'

const PROTOBUF = { type: 'application/x-protobuf', isNumbered: true }
const NANOS = BigInt(RECEIVED_US) * 1_000n
const DAY_NANOS = 86_400_000_000_000n

const usual = otlp.record(otlp.fixed64(1, NANOS), otlp.number(2, 9), otlp.body('m'), otlp.text('n', 'x'))

describe('the fast path and the plain path of OTLP', () => {
  otlpBothWays({
    sent: PROTOBUF,
    madeUp: madeUpOtlp,
    seed: 20_260_118,
    requests: Math.ceil(Number(process.env.TIDEMARK_FUZZ_LINES ?? 5_000) / 25),
    requestsOfSetting: 150,
    takenFast: (bytes) => takenFast(Buffer.from(bytes)),
    fastOneIn: 6,
    everywhere,
  })

  it('do the same with a request that is cut off anywhere, and with any byte of it another', () => {
    const common = otlp.resource(
      otlp.pair(1, 'service.name', otlp.textValue('cart')),
      otlp.pair(1, 'pid', otlp.number(3, 300)),
    )
    const whole = otlp.resourceLogs(
      common,
      otlp.scopeLogs(
        otlp.scope(otlp.part(1, 'app'), otlp.part(2, '7'), otlp.pair(3, 's', otlp.textValue('t'))),
        otlp.record(
          otlp.fixed64(1, NANOS),
          otlp.number(2, 9),
          otlp.part(3, 'INFO'),
          otlp.body('größe 12'),
          otlp.text('n', '12'),
          otlp.pair(6, 'b', otlp.number(2, 1)),
          otlp.pair(6, 'd', otlp.double(4, 1.5)),
          otlp.fixed32(8, 1),
          otlp.part(9, Buffer.alloc(16, 0xab)),
          otlp.part(10, Buffer.alloc(8, 0xcd)),
        ),
        usual,
      ),
    )
    expect(takenFast(whole)).toBe(2)
    for (let at = 0; at <= whole.length; at++) expectSame(whole.subarray(0, at), PROTOBUF)
    for (let at = 0; at < whole.length; at++) {
      for (const byte of [
        0,
        1,
        2,
        7,
        8,
        0x0a,
        0x12,
        0x22,
        0x32,
        0x5b,
        0x7f,
        0x80,
        0xc3,
        0xff,
        whole[at]! ^ 1,
        whole[at]! ^ 8,
      ]) {
        const other = Buffer.from(whole)
        other[at] = byte
        expectSame(other, PROTOBUF)
      }
    }
  })

  it.each([
    ['a resource after its records', otlp.resourceLogs(otlp.scopeLogs(usual), resourceOf('service.name')), 1],
    ['two resources', otlp.resourceLogs(resourceOf('a'), otlp.scopeLogs(usual), resourceOf('b')), 1],
    ['two resources that say the same', otlp.resourceLogs(resourceOf('a'), otlp.scopeLogs(usual), resourceOf('a')), 0],
    ['a scope after its records', otlp.request(usual, otlp.scope(otlp.part(1, 's'))), 1],
    [
      'a scope that takes its name back',
      otlp.request(otlp.scope(otlp.part(1, 's')), usual, otlp.scope(otlp.part(1, ''))),
      0,
    ],
    [
      'a second scope with a version',
      otlp.request(otlp.scope(otlp.pair(3, 's', otlp.textValue('t'))), otlp.scope(otlp.part(2, '7')), usual),
      0,
    ],
    ['a resource with the name of an attribute', otlp.resourceLogs(resourceOf('n'), otlp.scopeLogs(usual)), 0],
    ['a resource with a NUL', otlp.resourceLogs(resourceOf('a', 'x\0'), otlp.scopeLogs(usual)), 0],
    [
      'a resource with a secret',
      otlp.resourceLogs(resourceOf('a', 'password=hunter2hunter2'), otlp.scopeLogs(usual)),
      0,
    ],
    ['a resource with the name of a secret', otlp.resourceLogs(resourceOf('api_key', 'x'), otlp.scopeLogs(usual)), 0],
    ['a body that is JSON with a secret name', otlp.request(otlp.record(otlp.body('{"cvv":"123"}'))), 0],
    ['one after spaces', otlp.request(otlp.record(otlp.body(' \n{"cvv" :"123"}'))), 0],
    ['a resource with a message', otlp.resourceLogs(resourceOf('log.message', 'x'), otlp.scopeLogs(usual)), 0],
    [
      'a resource with a logger, and a scope',
      otlp.resourceLogs(resourceOf('log.logger'), otlp.scopeLogs(otlp.scope(otlp.part(1, 's')), usual)),
      0,
    ],
    ['a NUL in another record', otlp.request(usual, otlp.record(otlp.body('a\0')), usual), 2],
    ['two bodies', otlp.request(otlp.record(otlp.body('a'), otlp.body('b'))), 0],
    ['a body that is taken back', otlp.request(otlp.record(otlp.body('a'), otlp.body(''))), 0],
    ['an id that is taken back', otlp.request(otlp.record(otlp.body('a'), otlp.part(9, 'abcd'), otlp.part(9, ''))), 0],
    ['an id of zeros', otlp.request(otlp.record(otlp.body('a'), otlp.part(9, Buffer.alloc(16)))), 0],
    [
      'an id of other lengths',
      otlp.request(...[1, 15, 32].map((length) => otlp.record(otlp.body('a'), otlp.part(9, Buffer.alloc(length, 7))))),
      3,
    ],
    ['an id that is too long', otlp.request(otlp.record(otlp.body('a'), otlp.part(10, Buffer.alloc(200, 7)))), 0],
    ['an id twice', otlp.request(otlp.record(otlp.body('a'), otlp.part(9, 'abcd'), otlp.text('trace_id', 'ab'))), 0],
    ['an id among the attributes', otlp.request(otlp.record(otlp.body('a'), otlp.text('trace_id', 'ab'))), 1],
    ['an error', otlp.request(otlp.record(otlp.number(2, 17), otlp.body('a'))), 0],
    ['an error by its text', otlp.request(otlp.record(otlp.part(3, 'ERROR'), otlp.body('a'))), 0],
    [
      'a text beside the number',
      otlp.request(otlp.record(otlp.number(2, 9), otlp.part(3, 'Notice!'), otlp.body('a'))),
      0,
    ],
    [
      'a text that says another level',
      otlp.request(otlp.record(otlp.number(2, 9), otlp.part(3, 'WARN'), otlp.body('a'))),
      0,
    ],
    ['the text of a level alone', otlp.request(otlp.record(otlp.part(3, 'WARN'), otlp.body('a'))), 1],
    ['no time', otlp.request(otlp.record(otlp.body('a'))), 1],
    ['only the observed time', otlp.request(otlp.record(otlp.body('a'), otlp.fixed64(11, NANOS - DAY_NANOS))), 1],
    ['a time too far ahead', otlp.request(otlp.record(otlp.body('a'), otlp.fixed64(1, NANOS + DAY_NANOS + 1_000n))), 0],
    [
      'the time furthest ahead',
      otlp.request(otlp.record(otlp.body('a'), otlp.fixed64(1, NANOS + DAY_NANOS + 999n))),
      1,
    ],
    [
      'a time too long ago',
      otlp.request(otlp.record(otlp.body('a'), otlp.fixed64(1, NANOS - 30n * DAY_NANOS - 1n))),
      0,
    ],
    ['the oldest time', otlp.request(otlp.record(otlp.body('a'), otlp.fixed64(1, NANOS - 30n * DAY_NANOS))), 1],
    ['no records', otlp.request(), 0],
    ['nothing', Buffer.alloc(0), 0],
  ])('do the same with %s', (_, bytes, fast) => {
    expectSame(bytes, PROTOBUF)
    expect(takenFast(bytes)).toBe(fast)
  })

  it.each([
    [64, 1, true],
    [65, 1, false],
    [256, 1, false],
    [257, 0, false],
  ])('do the same with %i attributes, a record’s own and those of its resource', (count, accepted, isFast) => {
    for (const own of [count, count - 1, 0]) {
      const attributes = Array.from({ length: own }, (_, at) => otlp.text(`a${at}`, '1'))
      const shared = Array.from({ length: count - own }, (_, at) => otlp.pair(1, `b${at}`, otlp.number(3, at)))
      const bytes = otlp.resourceLogs(
        otlp.resource(...shared),
        otlp.scopeLogs(otlp.record(otlp.body('m'), ...attributes)),
      )
      expect(expectSame(bytes, PROTOBUF)).toBe(accepted)
      expect(takenFast(bytes)).toBe(isFast ? 1 : 0)
    }
  })

  it('do the same at the limits of a request', () => {
    expectSame(otlp.request(Buffer.alloc(50_001 * usual.length, usual)), PROTOBUF)
    expect(expectSame(otlp.request(Buffer.alloc(50_000 * usual.length, usual)), PROTOBUF)).toBe(50_000)
    const empty = otlp.part(1, Buffer.alloc(0))
    const wide = (values: number) =>
      otlp.record(otlp.body('m'), otlp.pair(6, 'a', otlp.part(5, Buffer.alloc(2 * values, empty))))
    // The usual one has two values, the wide one three around its list.
    for (const values of [1_999_995, 1_999_996]) {
      expectSame(otlp.request(wide(values), usual), PROTOBUF)
      expectSame(otlp.request(usual, wide(values)), PROTOBUF)
    }
    const days = Array.from({ length: 9 }, (_, day) =>
      otlp.record(otlp.body('m'), otlp.fixed64(1, NANOS - BigInt(day) * DAY_NANOS)),
    )
    expect(expectSame(otlp.request(...days), PROTOBUF)).toBe(0)
    expect(expectSame(otlp.request(...days.slice(1)), PROTOBUF)).toBe(8)
    // Requests of the largest size, read twice each, on a machine that may have other things to do.
  }, 180_000)

  it('do the same, and no slower, with a crowd of empty resources and scopes', () => {
    const scopes = otlp.scopeLogs(otlp.scope(), otlp.record(otlp.body('m')))
    const crowded = (count: number) =>
      otlp.resourceLogs(
        Buffer.alloc(count * otlp.resource().length, otlp.resource()),
        Buffer.alloc(2_000 * scopes.length, scopes),
      )
    for (const count of [8, 9, 100_000]) {
      expect(expectSame(crowded(count), PROTOBUF)).toBe(2_000)
      expect(takenFast(crowded(count))).toBe(count === 8 ? 2_000 : 0)
    }
    expect(expectSame(crowded(2_000_000), PROTOBUF)).toBe(0)
  }, 180_000)

  it('do the same when strangers send more names than are remembered', () => {
    const records = Array.from({ length: 3_000 }, (_, at) =>
      otlp.record(otlp.body('m'), otlp.text(`n${at}`, 'x'), otlp.text('z', 'y')),
    )
    // The second resource has a name that records have too.
    for (const [key, fast] of [
      ['service.name', 2_990],
      ['z', 0],
    ] as const) {
      const bytes = otlp.resourceLogs(resourceOf(key), otlp.scopeLogs(...records))
      expect(expectSame(bytes, PROTOBUF)).toBe(3_000)
      expect(takenFast(bytes)).toBeGreaterThanOrEqual(fast)
      if (fast === 0) expect(takenFast(bytes)).toBe(0)
    }
  })

  it('do the same when the name that is one too many is in a resource', () => {
    const [same, other] = [otlp.text('z', 'y'), otlp.text('n', 'y')]
    for (const own of [same, other]) {
      const groups = Array.from({ length: 2_500 }, (_, at) =>
        otlp.resourceLogs(
          otlp.resource(otlp.pair(1, 'z', otlp.textValue('x')), otlp.pair(1, `r${at}`, otlp.textValue('x'))),
          otlp.scopeLogs(otlp.record(otlp.body('m'), own)),
        ),
      )
      expect(expectSame(Buffer.concat(groups), PROTOBUF)).toBe(2_500)
      expect(takenFast(Buffer.concat(groups)) > 2_400).toBe(own === other)
    }
  })
})

function everywhere(text: string): Buffer[] {
  return [
    otlp.request(otlp.record(otlp.body(text))),
    otlp.request(otlp.record(otlp.body('m'), otlp.text('said', text))),
    otlp.request(otlp.record(otlp.body('m'), otlp.text(text, 'said'))),
    otlp.request(otlp.record(otlp.body('m'), otlp.text('trace_id', text))),
    otlp.request(otlp.record(otlp.body('m'), otlp.text('span_id', text))),
    otlp.request(otlp.scope(otlp.part(1, text)), usual),
    otlp.request(otlp.scope(otlp.part(2, text)), usual),
    otlp.resourceLogs(resourceOf('said', text), otlp.scopeLogs(usual)),
    otlp.resourceLogs(resourceOf('service.name', text), otlp.scopeLogs(usual)),
    otlp.resourceLogs(resourceOf(text), otlp.scopeLogs(usual)),
  ]
}

function resourceOf(key: string, value = 'value'): Buffer {
  return otlp.resource(otlp.pair(1, key, otlp.textValue(value)))
}
