import fc from 'fast-check'
import protobuf from 'protobufjs'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import type { OtlpGroup, OtlpRecord } from '../record/otlp-record.ts'
import { readOtlpProtobuf } from './read-otlp-protobuf.ts'

/** The part of opentelemetry-proto that logs use, read by another implementation than ours. */
const Request = protobuf
  .parse(`
    syntax = "proto3";
    message Request { repeated ResourceLogs resource_logs = 1; }
    message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; string schema_url = 3; }
    message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
    message ScopeLogs { Scope scope = 1; repeated LogRecord log_records = 2; string schema_url = 3; }
    message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
    message LogRecord {
      fixed64 time_unix_nano = 1; fixed64 observed_time_unix_nano = 11; int32 severity_number = 2; string severity_text = 3;
      AnyValue body = 5; repeated KeyValue attributes = 6; uint32 dropped_attributes_count = 7; fixed32 flags = 8;
      bytes trace_id = 9; bytes span_id = 10; string event_name = 12; string from_the_future = 99;
    }
    message KeyValue { string key = 1; AnyValue value = 2; }
    message AnyValue { oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
      ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7; } }
    message ArrayValue { repeated AnyValue values = 1; }
    message KeyValueList { repeated KeyValue values = 1; }
  `)
  .root.lookupType('Request')

function parse(bytes: Uint8Array) {
  const groups: (OtlpGroup & { records: OtlpRecord[] })[] = []
  let hasNul = false
  readOtlpProtobuf(bytes, {
    fast: null,
    taken: () => expect.unreachable(),
    entry(record, group, sawNul) {
      hasNul ||= sawNul
      const last = groups.at(-1)
      if (last?.scope === group.scope) last.records.push(record)
      else groups.push({ ...group, records: [record] })
    },
  })
  return { groups, hasNul }
}

function encode(request: object): Uint8Array {
  return Request.encode(Request.fromObject(request)).finish()
}

function withRecord(record: object): Uint8Array {
  return encode({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })
}

function recordOf(record: object) {
  return parse(withRecord(record)).groups[0]!.records[0]!
}

describe('readOtlpProtobuf', () => {
  it('reads every field of a record, its scope and its resource', () => {
    const { groups } = parse(
      encode({
        resourceLogs: [
          {
            resource: {
              attributes: [{ key: 'service.name', value: { stringValue: 'api' } }],
              droppedAttributesCount: 3,
            },
            schemaUrl: 'https://example.com',
            scopeLogs: [
              {
                scope: { name: 'lib', version: '1', attributes: [{ key: 'a', value: { boolValue: true } }] },
                logRecords: [
                  {
                    timeUnixNano: '1767323045678901999',
                    observedTimeUnixNano: '1767323046000000000',
                    severityNumber: 17,
                    severityText: 'ERROR',
                    body: { stringValue: 'boom' },
                    attributes: [{ key: 'n', value: { intValue: -7 } }],
                    droppedAttributesCount: 2,
                    flags: 1,
                    traceId: Buffer.from('4bf92f3577b34da6a3ce929d0e0e4736', 'hex'),
                    spanId: Buffer.from('00f067aa0ba902b7', 'hex'),
                    eventName: 'crash',
                    fromTheFuture: 'ignored',
                  },
                ],
              },
            ],
          },
        ],
      }),
    )
    expect(groups).toEqual([
      {
        resource: [['service.name', 'api']],
        scope: { name: 'lib', version: '1', attributes: [['a', true]] },
        records: [
          {
            time: 1_767_323_045_678_901,
            severityNumber: 17,
            severityText: 'ERROR',
            body: 'boom',
            attributes: [['n', -7]],
            droppedAttributes: 2,
            traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
            spanId: '00f067aa0ba902b7',
            eventName: 'crash',
          },
        ],
      },
    ])
  })

  it('reads every kind of value', () => {
    const { body } = recordOf({
      body: {
        kvlistValue: {
          values: [
            { key: 'text', value: { stringValue: 'é😀' } },
            { key: 'no', value: { boolValue: false } },
            { key: 'small', value: { intValue: 300 } },
            { key: 'negative', value: { intValue: -1 } },
            { key: 'safe', value: { intValue: '9007199254740991' } },
            { key: 'long', value: { intValue: '-9223372036854775808' } },
            { key: 'double', value: { doubleValue: 0.5 } },
            { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: 1 }] } } },
            { key: 'bytes', value: { bytesValue: Buffer.from([1, 2, 3]) } },
            { key: 'nothing', value: {} },
            { key: '__proto__', value: { stringValue: 'just a key' } },
          ],
        },
      },
    })
    expect(Object.entries(body as object)).toEqual([
      ['text', 'é😀'],
      ['no', false],
      ['small', 300],
      ['negative', -1],
      ['safe', 9_007_199_254_740_991],
      ['long', '-9223372036854775808'],
      ['double', 0.5],
      ['list', ['a', 1]],
      ['bytes', 'AQID'],
      ['nothing', null],
      ['__proto__', 'just a key'],
    ])
  })

  it('agrees with another implementation on every 64-bit integer and time', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(String(recordOf({ body: { intValue: value.toString() } }).body)).toBe(value.toString())
      }),
    )
    fc.assert(
      fc.property(fc.bigInt({ min: 1_000n, max: BigInt(Number.MAX_SAFE_INTEGER) * 1_000n }), (nanos) => {
        expect(recordOf({ timeUnixNano: nanos.toString() }).time).toBe(Number(nanos / 1_000n))
      }),
    )
  })

  it('falls back to the observed time, and to none', () => {
    expect(recordOf({ observedTimeUnixNano: '1767323046000000000' }).time).toBe(1_767_323_046_000_000)
    expect(recordOf({}).time).toBeUndefined()
  })

  it('treats ids of zeros as none', () => {
    expect(recordOf({ traceId: Buffer.alloc(16), spanId: Buffer.alloc(8) })).toMatchObject({ traceId: '', spanId: '' })
  })

  it('replaces bytes that are not UTF-8', () => {
    const bytes = Buffer.from(withRecord({ body: { stringValue: 'abc' } }))
    bytes[bytes.indexOf('abc')] = 0xff
    expect(parse(bytes).groups[0]?.records[0]?.body).toBe('\ufffdbc')
  })

  it('says whether a text held a NUL', () => {
    const hasNul = (text: string) => parse(withRecord({ body: { stringValue: text } })).hasNul
    expect(hasNul('a\0')).toBe(true)
    expect(hasNul(`${'a'.repeat(50)}\0`)).toBe(true)
    expect(hasNul('plain')).toBe(false)
  })

  it('refuses values nested too deep instead of running out of stack', () => {
    const nest = (levels: number): object =>
      levels === 0 ? { stringValue: 'x' } : { arrayValue: { values: [nest(levels - 1)] } }
    expect(recordOf({ body: nest(30) }).body).toBeInstanceOf(Array)
    expect(() => recordOf({ body: nest(40) })).toThrow('nested deeper than 32 levels')
  })

  it('refuses more records than a request may hold', () => {
    const logRecords = Array.from({ length: 50_001 }, () => ({}))
    expect(() => parse(encode({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }))).toThrow('at most 50,000')
  })

  it('refuses a message cut anywhere inside its outermost field', () => {
    const bytes = withRecord({ body: { stringValue: 'hello' }, attributes: [{ key: 'k', value: { intValue: 1 } }] })
    for (let length = 1; length < bytes.length; length++) {
      expect(() => parse(bytes.subarray(0, length)), String(length)).toThrow(AppError)
    }
  })

  it.each([
    ['a length past the end', [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ['a varint without end', new Array(12).fill(0xff)],
    ['field number zero', [0x00, 0x00]],
    ['a group, which proto3 does not have', [0x0b]],
  ])('refuses %s', (_what, bytes) => {
    expect(() => parse(Uint8Array.from(bytes))).toThrow(AppError)
  })

  it('reads or refuses any bytes, and damages of real ones', () => {
    const real = withRecord({ body: { stringValue: 'hello' }, attributes: [{ key: 'k', value: { intValue: 1 } }] })
    const survives = (bytes: Uint8Array) => {
      try {
        parse(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
      }
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), survives))
    fc.assert(
      fc.property(fc.nat(real.length - 1), fc.nat(255), (at, byte) => {
        const damaged = Uint8Array.from(real)
        damaged[at] = byte
        survives(damaged)
      }),
    )
  })
})
