/** The sample records as OTLP requests. The protobuf is written by hand so that the generator costs little. */
import { BenchmarkRecords } from './benchmark-records.ts'

export function otlpBodies(count: number, perBody: number, seed = 1): Buffer[] {
  const records = new BenchmarkRecords({ seed })
  const bodies: Buffer[] = []
  for (let made = 0; made < count; made += perBody) {
    const logs = Array.from({ length: Math.min(perBody, count - made) }, () => field(2, logRecord(records.next())))
    const resource = field(
      1,
      Buffer.concat([attribute(1, 'service.name', 'shop'), attribute(1, 'deployment.environment.name', 'production')]),
    )
    // ExportLogsServiceRequest { resource_logs { resource, scope_logs { log_records … } } }
    bodies.push(field(1, Buffer.concat([resource, field(2, Buffer.concat(logs))])))
  }
  return bodies
}

/** The same as JSON. */
export function otlpJsonBodies(count: number, perBody: number, seed = 1): Buffer[] {
  const records = new BenchmarkRecords({ seed })
  const bodies: Buffer[] = []
  for (let made = 0; made < count; made += perBody) {
    const logRecords = Array.from({ length: Math.min(perBody, count - made) }, () => jsonRecord(records.next()))
    const attributes = [
      jsonAttribute('service.name', 'shop'),
      jsonAttribute('deployment.environment.name', 'production'),
    ]
    bodies.push(
      Buffer.from(JSON.stringify({ resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }] })),
    )
  }
  return bodies
}

function jsonRecord({ timestamp, message, traceId }: Record<string, unknown>) {
  return {
    timeUnixNano: `${Date.parse(String(timestamp))}000000`,
    severityNumber: 9,
    body: { stringValue: message },
    attributes: [jsonAttribute('durationMs', '12')],
    traceId,
  }
}

function jsonAttribute(key: string, stringValue: string) {
  return { key, value: { stringValue } }
}

function logRecord({ timestamp, message, traceId }: Record<string, unknown>): Buffer {
  const time = Buffer.alloc(9)
  time[0] = (1 << 3) | 1
  time.writeBigUInt64LE(BigInt(Date.parse(String(timestamp))) * 1_000_000n, 1)
  const severity = Buffer.from([2 << 3, 9])
  const body = field(5, field(1, Buffer.from(String(message))))
  return Buffer.concat([
    time,
    severity,
    body,
    attribute(6, 'durationMs', '12'),
    field(9, Buffer.from(String(traceId), 'hex')),
  ])
}

function attribute(number: number, key: string, value: string): Buffer {
  return field(number, Buffer.concat([field(1, Buffer.from(key)), field(2, field(1, Buffer.from(value)))]))
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  return Buffer.from([...bytes, rest])
}
