import { describe, expect, it } from 'vitest'
import { RECEIVED_US, readBody } from '../testing/read-body.ts'

describe('OTLP', () => {
  const request = (record: object, resource: object[] = []) =>
    JSON.stringify({
      resourceLogs: [
        {
          resource: { attributes: resource },
          scopeLogs: [{ scope: { name: 'lib', version: '2' }, logRecords: [record] }],
        },
      ],
    })

  it('is told from other JSON by its shape', () => {
    const batch = readBody(
      request(
        {
          timeUnixNano: String(RECEIVED_US * 1_000),
          severityNumber: 17,
          severityText: 'ERROR',
          body: { stringValue: 'boom' },
          traceId: '5b8efff798038103d269b633813fc60c',
          attributes: [
            { key: 'exception.type', value: { stringValue: 'E' } },
            { key: 'exception.message', value: { stringValue: 'm' } },
            { key: 'exception.stacktrace', value: { stringValue: 's' } },
            { key: 'http.status', value: { intValue: '500' } },
            { key: 'shared', value: { stringValue: 'own' } },
            { key: 'nested', value: { kvlistValue: { values: [{ key: 'a', value: { boolValue: true } }] } } },
          ],
        },
        [
          { key: 'service.name', value: { stringValue: 'api' } },
          { key: 'service.version', value: { stringValue: '1.2' } },
          { key: 'deployment.environment.name', value: { stringValue: 'Staging' } },
          { key: 'host.name', value: { stringValue: 'h' } },
          { key: 'shared', value: { stringValue: 'outer' } },
        ],
      ),
    )
    expect(batch).toMatchObject({ protocol: 'otlp-json', total: 1, rejected: [] })
    expect(batch.records[0]).toEqual({
      timeUs: RECEIVED_US,
      level: 'error',
      environment: 'Staging',
      environmentDefaulted: false,
      service: 'api',
      host: 'h',
      logger: 'lib',
      release: '1.2',
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: '',
      message: 'boom',
      truncated: false,
      error: { type: 'E', message: 'm', stack: 's' },
      attributes: new Map<string, unknown>([
        ['http.status', 500],
        ['shared', 'own'],
        ['nested.a', true],
        ['otel.scope.version', '2'],
        ['resource.shared', 'outer'],
      ]),
    })
  })

  it.each([
    [{ body: { intValue: '7' } }, { message: '7' }],
    [{ body: { arrayValue: { values: [{ intValue: '7' }] } } }, { message: '[7]' }],
    [{ body: { kvlistValue: { values: [{ key: 'a', value: { intValue: 1 } }] } } }, { message: '{"a":1}' }],
    [{ eventName: 'user.login' }, { message: 'user.login' }],
    [{ body: { stringValue: 'm' } }, { message: 'm', level: 'info', timeUs: RECEIVED_US }],
    [{ body: { stringValue: 'm' }, severityText: 'Warning' }, { level: 'warn' }],
    [{ body: { stringValue: 'm' }, severityNumber: 24 }, { level: 'fatal' }],
  ])('reads %j', (record, expected) => {
    expect(readBody(request(record)).records[0]).toMatchObject(expected)
  })

  it('keeps a severity text that says something else than the number', () => {
    const [record] = readBody(request({ body: { stringValue: 'm' }, severityNumber: 9, severityText: 'AUDIT' })).records
    expect(record?.level).toBe('info')
    expect(record?.attributes.get('level.original')).toBe('AUDIT')
  })

  it('takes the message of a structured body and keeps the rest', () => {
    const values = [
      { key: 'message', value: { stringValue: 'm' } },
      { key: 'user', value: { stringValue: 'u' } },
    ]
    const [record] = readBody(request({ body: { kvlistValue: { values } } })).records
    expect(record?.message).toBe('m')
    expect(record?.attributes.get('body.user')).toBe('u')
  })

  it.each([
    [{}, 'needs a `message`'],
    [{ body: { stringValue: 'm' }, timeUnixNano: 'soon' }, 'soon'],
    [{ body: { stringValue: 'm' }, timeUnixNano: '1000' }, 'older than'],
    [{ body: { stringValue: 'm' }, timeUnixNano: '9999999999999999999' }, 'ahead'],
  ])('rejects %j', (record, reason) => {
    expect(readBody(request(record)).rejected).toEqual([{ index: 0, reason: expect.stringContaining(reason) }])
  })
})
