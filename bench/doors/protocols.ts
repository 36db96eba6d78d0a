/** The same records as each protocol writes them: a time, a message, a trace and a duration, of one service. */

import { pushRequest, snappyLiterals } from '../../packages/server/src/ingest/testing/loki-protobuf.ts'
import { BenchmarkRecords } from '../benchmark-records.ts'
import { otlpBodies, otlpJsonBodies } from '../otlp-bodies.ts'

type Options = { seed: number; key: string }
/** `path` is null for what is one stream. */
export type Door = {
  name: string
  path: string | null
  type: string
  bodies: (records: number, perBody: number, options: Options) => Buffer[]
}

type Sample = { ms: number; message: string; traceId: string }

export const DOORS: readonly Door[] = [
  {
    name: 'ndjson',
    path: '/v1/logs',
    type: 'application/x-ndjson',
    bodies: each((samples) => samples.map((sample) => JSON.stringify(recordOf(sample))).join('\n')),
  },
  {
    name: 'otlp json',
    path: '/v1/logs',
    type: 'application/json',
    bodies: (...of) => otlpJsonBodies(of[0], of[1], of[2].seed),
  },
  {
    name: 'otlp protobuf',
    path: '/v1/logs',
    type: 'application/x-protobuf',
    bodies: (...of) => otlpBodies(of[0], of[1], of[2].seed),
  },
  {
    name: 'loki json',
    path: '/loki/api/v1/push',
    type: 'application/json',
    bodies: each((samples) => {
      const values = samples.map(({ ms, message, traceId }) => [
        `${ms}000000`,
        message,
        { trace_id: traceId, durationMs: '12' },
      ])
      return JSON.stringify({ streams: [{ stream: LABELS, values }] })
    }),
  },
  {
    name: 'loki protobuf',
    path: '/loki/api/v1/push',
    type: 'application/x-protobuf',
    bodies: each((samples) => {
      const entries = samples.map(({ ms, message, traceId }) => ({
        seconds: Math.floor(ms / 1_000),
        nanos: (ms % 1_000) * 1_000_000,
        line: message,
        metadata: { trace_id: traceId, durationMs: '12' },
      }))
      return snappyLiterals(
        pushRequest([{ labels: '{service="shop", environment="production", level="info"}', entries }]),
      )
    }),
  },
  {
    name: 'elasticsearch bulk',
    path: '/logs-shop-production/_bulk',
    type: 'application/x-ndjson',
    bodies: each((samples) => samples.map((sample) => `{"create":{}}\n${JSON.stringify(recordOf(sample))}\n`).join('')),
  },
  {
    name: 'datadog',
    path: '/api/v2/logs',
    type: 'application/json',
    bodies: each((samples) =>
      JSON.stringify(
        samples.map(({ ms, message, traceId }) => ({
          ...{ timestamp: ms, message, status: 'info', service: 'shop', ddtags: 'env:production' },
          ...{ trace_id: traceId, durationMs: '12' },
        })),
      ),
    ),
  },
  {
    name: 'syslog',
    path: null,
    type: '',
    bodies: (records, perBody, options) =>
      each((samples) =>
        samples
          .map(({ ms, message, traceId }) => {
            const own = `[tidemark key="${options.key}" environment="production" trace_id="${traceId}"][x@1 durationMs="12"]`
            const text = `<14>1 ${new Date(ms).toISOString()} - shop - - ${own} ${message}`
            return `${Buffer.byteLength(text)} ${text}`
          })
          .join(''),
      )(records, perBody, options),
  },
  {
    name: 'journald',
    path: null,
    type: 'application/vnd.fdo.journal',
    bodies: (records, perBody, options) =>
      each((samples) =>
        samples
          .map(
            ({ ms, message, traceId }, at) =>
              `__CURSOR=s=${options.seed};i=${at}\n__REALTIME_TIMESTAMP=${ms}000\nPRIORITY=6\n_SYSTEMD_UNIT=shop.service\nENVIRONMENT=production\nTRACE_ID=${traceId}\nDURATION_MS=12\nMESSAGE=${message}\n\n`,
          )
          .join(''),
      )(records, perBody, options),
  },
]

const LABELS = { service: 'shop', environment: 'production', level: 'info' }

function recordOf({ ms, message, traceId }: Sample) {
  return { timestamp: new Date(ms).toISOString(), ...LABELS, message, traceId, durationMs: '12' }
}

function each(write: (samples: Sample[]) => string | Buffer): Door['bodies'] {
  return (count, perBody, { seed }) => {
    const records = new BenchmarkRecords({ seed })
    const bodies: Buffer[] = []
    for (let made = 0; made < count; made += perBody) {
      const samples = Array.from({ length: Math.min(perBody, count - made) }, () => {
        const { timestamp, message, traceId } = records.next()
        return { ms: Date.parse(timestamp), message: message.replaceAll('\n', ' '), traceId: String(traceId) }
      })
      bodies.push(Buffer.from(write(samples)))
    }
    return bodies
  }
}
