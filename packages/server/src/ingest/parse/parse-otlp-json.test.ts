import { describe, expect, it } from 'vitest'
import { parseOtlpJson } from './parse-otlp-json.ts'

function recordOf(record: object) {
  return parseOtlpJson({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })[0]!.records[0]!
}

describe('parseOtlpJson', () => {
  it('reads a record as the specification writes it', () => {
    expect(
      recordOf({
        timeUnixNano: '1767323045678901999',
        observedTimeUnixNano: '1767323046000000000',
        severityNumber: 9,
        severityText: 'Information',
        traceId: '5B8EFFF798038103D269B633813FC60C',
        spanId: 'EEE19B7EC3C1B174',
        body: { stringValue: 'Example' },
        eventName: 'e',
        droppedAttributesCount: 1,
        attributes: [
          { key: 'string', value: { stringValue: 's' } },
          { key: 'boolean', value: { boolValue: false } },
          { key: 'int', value: { intValue: '10' } },
          { key: 'int as number', value: { intValue: 10 } },
          { key: 'long', value: { intValue: '9223372036854775807' } },
          { key: 'double', value: { doubleValue: 637.704 } },
          { key: 'not a number', value: { doubleValue: 'NaN' } },
          { key: 'array', value: { arrayValue: { values: [{ stringValue: 'many' }, { intValue: '1' }] } } },
          { key: 'map', value: { kvlistValue: { values: [{ key: '__proto__', value: { stringValue: 'v' } }] } } },
          { key: 'bytes', value: { bytesValue: 'AQID' } },
          { key: 'empty', value: {} },
          { key: 'from the future', value: { otherValue: 1 } },
        ],
      }),
    ).toEqual({
      time: 1_767_323_045_678_901,
      severityNumber: 9,
      severityText: 'Information',
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b174',
      body: 'Example',
      eventName: 'e',
      droppedAttributes: 1,
      attributes: [
        ['string', 's'],
        ['boolean', false],
        ['int', 10],
        ['int as number', 10],
        ['long', '9223372036854775807'],
        ['double', 637.704],
        ['not a number', 'NaN'],
        ['array', ['many', 1]],
        ['map', expect.objectContaining({})],
        ['bytes', 'AQID'],
        ['empty', null],
        ['from the future', null],
      ],
    })
    expect(({} as Record<string, unknown>).v).toBeUndefined()
  })

  it('tolerates ids in base64, enum names, and times as numbers', () => {
    expect(
      recordOf({
        traceId: 'W47/95gDgQPSabYzgT/GDA==',
        spanId: '7uGbfsPBsXQ=',
        severityNumber: 'SEVERITY_NUMBER_ERROR2',
        timeUnixNano: 1_767_323_045_000_000_000,
      }),
    ).toMatchObject({
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b174',
      severityNumber: 18,
      time: 1_767_323_045_000_000,
    })
  })

  it('falls back to the observed time, treats zero as none and hands on what is no time', () => {
    expect(recordOf({ timeUnixNano: '0', observedTimeUnixNano: '1767323046000000000' }).time).toBe(
      1_767_323_046_000_000,
    )
    expect(recordOf({ timeUnixNano: 0 }).time).toBeUndefined()
    expect(recordOf({ timeUnixNano: 'soon' }).time).toBe('timeUnixNano soon')
  })

  it('ignores what has the wrong type', () => {
    expect(
      parseOtlpJson({
        resourceLogs: [null, 1, {}, { scopeLogs: {} }, { resource: 7, scopeLogs: [null, { logRecords: 'x' }] }],
      }),
    ).toEqual([{ resource: [], scope: { name: '', version: '', attributes: [] }, records: [] }])
    expect(
      recordOf({
        traceId: 1,
        spanId: null,
        severityNumber: {},
        severityText: 1,
        body: 'x',
        attributes: {},
        eventName: [],
      }),
    ).toMatchObject({
      traceId: '',
      spanId: '',
      severityNumber: 0,
      severityText: '',
      body: null,
      attributes: [],
      eventName: '',
    })
    expect(() => parseOtlpJson({ resourceLogs: {} })).toThrow('`resourceLogs` must be an array.')
  })
})
