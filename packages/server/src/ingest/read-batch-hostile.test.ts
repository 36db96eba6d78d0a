import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { readBatch, readProjectKey } from './read-batch.ts'

const RECEIVED_US = Date.parse('2026-01-02T03:04:05Z') * 1_000

type Options = { type?: string; encoding?: string; retentionDays?: number }

function read(
  body: string | Uint8Array,
  { type = 'application/json', encoding = '', retentionDays = 30 }: Options = {},
) {
  return readBatch({
    body: typeof body === 'string' ? Buffer.from(body) : body,
    contentType: type,
    contentEncoding: encoding,
    receivedUs: RECEIVED_US,
    project: { defaultEnvironment: 'production', retentionDays },
    redaction: { disabled: [], rules: [], fields: [] },
  })
}

describe('hostile input', () => {
  const types = ['application/json', 'application/x-ndjson', 'application/x-protobuf', 'text/plain', '']
  const encodings = ['', 'gzip', 'deflate', 'br']

  function survives(body: Uint8Array, type: string, encoding: string): void {
    for (const act of [
      () => read(body, { type, encoding }),
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
      '__proto__',
      'constructor',
      'toString',
    ]
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string(), fc.double(), fc.constant(null))
    const record = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value)
    fc.assert(
      fc.property(fc.array(fc.oneof(record, fc.jsonValue())), (entries) => {
        const batch = read(JSON.stringify(entries))
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
    const any = fc.jsonValue({ maxDepth: 3 })
    const record = fc.record({
      timeUnixNano: any,
      severityNumber: any,
      severityText: any,
      body: any,
      attributes: any,
      traceId: any,
      eventName: any,
    })
    fc.assert(
      fc.property(fc.array(record), any, (logRecords, resource) => {
        const batch = read(
          JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: resource, logRecords }] }] }),
        )
        expect(batch.records.length + batch.rejected.length).toBe(logRecords.length)
      }),
    )
  })

  it('cannot be made to change a prototype', () => {
    const poison = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'
    read(`{${poison},"logs":[{"message":"m",${poison},"attributes":{${poison}},"error":{"message":"x",${poison}}}]}`)
    read(`{"message":"m",${poison}}\n`, { type: 'application/x-ndjson' })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
