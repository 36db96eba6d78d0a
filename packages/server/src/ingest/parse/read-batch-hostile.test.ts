import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import { INHERITED_NAMES } from '../../testing/inherited-names.ts'
import { readBody } from '../testing/read-body.ts'
import { readProjectKey } from './read-batch.ts'

/** Names that JavaScript itself asks an object for. */
const TREACHEROUS = ['__proto__', 'constructor', 'toString', 'valueOf', 'toJSON', 'then', 'length']

const VALUE_KINDS = ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'bytesValue', 'arrayValue', 'kvlistValue']

/** Any JSON, as text, because no JavaScript value is written as `1e999` or holds its own `__proto__`. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('null', 'true', '0', '-1', '1e999', '-1e999', '1e-400', '12345678901234567890123', '""', '"0"'),
    fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value)),
    fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc.dictionary(fc.oneof(fc.constantFrom(...TREACHEROUS), fc.string()), tie('json'), { maxKeys: 3 }).map(jsonObject),
  ),
}))

function jsonObject(members: Record<string, string>): string {
  return `{${Object.entries(members).map(([key, value]) => `${JSON.stringify(key)}:${value}`)}}`
}

describe('hostile input', () => {
  const types = ['application/json', 'application/x-ndjson', 'application/x-protobuf', 'text/plain', '']
  const encodings = ['', 'gzip', 'deflate', 'br']

  function survives(body: Uint8Array, type: string, encoding: string): void {
    for (const act of [
      () => readBody(body, { type, encoding }),
      () => readProjectKey({ body, contentType: type, contentEncoding: encoding }),
    ]) {
      try {
        act()
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    }
  }

  it('reads or refuses any bytes, never failing in another way', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom(...types),
        fc.constantFrom(...encodings),
        survives,
      ),
      { numRuns: 500 },
    )
  })

  it('accounts for every record of any JSON', () => {
    const names = [
      'message',
      'msg',
      'timestamp',
      'time',
      'level',
      'status',
      'environment',
      'env',
      'service',
      'host',
      'error',
      'err',
      'stack',
      'attributes',
      'name',
      'traceId',
      'logs',
      'severityNumber',
      'timeUnixNano',
      ...TREACHEROUS,
    ]
    const value = fc.oneof(
      json,
      fc.string().map((text) => JSON.stringify(text)),
    )
    const record = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value).map(jsonObject)
    fc.assert(
      fc.property(fc.array(fc.oneof(record, json)), (entries) => {
        const batch = readBody(`[${entries}]`)
        expect(batch.total).toBe(entries.length)
        expect(batch.records.length + batch.rejected.length).toBe(entries.length)
        for (const { timeUs, message, environment } of batch.records) {
          expect(Number.isFinite(timeUs) && message !== '' && environment !== '').toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('reads or refuses OTLP of any shape', () => {
    const value = fc.oneof(json, ...VALUE_KINDS.map((kind) => json.map((held) => `{"${kind}":${held}}`)))
    const attribute = fc.record({ key: json, value }).map(jsonObject)
    const attributes = fc.oneof(
      json,
      fc.array(attribute).map((items) => `[${items}]`),
    )
    const record = fc
      .record({
        timeUnixNano: json,
        observedTimeUnixNano: json,
        severityNumber: json,
        severityText: json,
        body: value,
        attributes,
        droppedAttributesCount: json,
        traceId: json,
        spanId: json,
        eventName: json,
      })
      .map(jsonObject)
    fc.assert(
      fc.property(fc.array(record), attributes, (records, resource) => {
        const scope = `{"name":"s","attributes":${resource}}`
        const batch = readBody(
          `{"resourceLogs":[{"resource":${scope},"scopeLogs":[{"scope":${scope},"logRecords":[${records}]}]}]}`,
        )
        expect(batch.records.length + batch.rejected.length).toBe(records.length)
      }),
      { numRuns: 500 },
    )
  })

  it('is told which time of OTLP was no time', () => {
    const records = ['{"toString":null}', '1e999', '-5', '"soon"'].map((time) => `{"timeUnixNano":${time}}`)
    const batch = readBody(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records}]}]}]}`)
    const times = batch.rejected.map(({ reason }) => /^The time "timeUnixNano (.*)" in /.exec(reason)?.[1])
    expect(times).toEqual(['{"toString":null}', '1e999', '-5', 'soon'])
  })

  it('may be named like anything that objects have of their own, and is kept under that name', () => {
    for (const name of INHERITED_NAMES) {
      const record = `{"message":"m","${name}":"top","attributes":{"${name}":"in","deep":{"${name}":1}},"environment":"${name}","service":"${name}","level":"${name}"}`
      const [kept] = readBody(`[${record}]`).records
      expect(kept).toMatchObject({ environment: name, service: name, level: 'info' })
      expect([...(kept?.attributes ?? [])]).toEqual(
        expect.arrayContaining([
          [name, 'top'],
          [`${name}#2`, 'in'],
          [`deep.${name}`, 1],
        ]),
      )
      const otlp = `{"body":{"kvlistValue":{"values":[{"key":"message","value":{"stringValue":"m"}}]}},"severityText":"${name}","attributes":[{"key":"${name}","value":{"kvlistValue":{"values":[{"key":"${name}","value":{"intValue":1}}]}}}]}`
      const [sent] = readBody(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${otlp}]}]}]}`).records
      expect([...(sent?.attributes.keys() ?? [])]).toContain(`${name}.${name}`)
    }
  })

  it('cannot be made to change a prototype', () => {
    const poison = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'
    readBody(
      `{${poison},"logs":[{"message":"m",${poison},"attributes":{${poison}},"error":{"message":"x",${poison}}}]}`,
    )
    readBody(`{"message":"m",${poison}}\n`, { type: 'application/x-ndjson' })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
