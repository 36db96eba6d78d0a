/**
 * Configurations of log shippers. The programs are not here, so each configuration is acted out: one record in the form the
 * program would send, to the address and with the headers that the configuration gives.
 */
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { Reader } from './reader.ts'

type Json = Record<string, unknown>
type Shipment = { url: string; headers: Record<string, string>; body: string }

/** Undefined when the configuration belongs to none of them. */
export function shipmentOf(config: Json, reader: Reader): Shipment | undefined {
  if ('exporters' in config) return fromCollector(config, reader)
  if ('sinks' in config) return fromVector(config, reader)
  if ('pipeline' in config) return fromFluentBit(config, reader)
  return undefined
}

export async function ship({ url, headers, body }: Shipment): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: gzipSync(body),
  })
  const answer = await response.json()
  expect({ status: response.status, answer }).toEqual({
    status: 200,
    answer: body.includes('resourceLogs') ? {} : { accepted: 1, rejected: [] },
  })
}

function fromCollector({ exporters, service }: Json, reader: Reader): Shipment {
  const [[name, exporter] = ['', {}]] = Object.entries(exporters as Record<string, Json>)
  expect(name).toMatch(/^otlphttp(\/|$)/)
  expect(service).toMatchObject({ pipelines: { logs: { exporters: expect.arrayContaining([name]) } } })
  const { endpoint, headers, ...others } = exporter
  expect(others).toEqual({})
  const record = { body: { stringValue: 'shipped by a collector' }, severityNumber: 9 }
  return {
    url: `${endpoint}/v1/logs`,
    headers: { ...filledHeaders(headers as Json, /\$\{env:(\w+)\}/, reader), 'content-type': 'application/json' },
    body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }),
  }
}

function fromVector({ sinks }: Json, reader: Reader): Shipment {
  const [sink = {}] = Object.values(sinks as Record<string, Json>)
  expect(sink).toEqual({
    type: 'http',
    inputs: [expect.any(String)],
    uri: expect.any(String),
    method: 'post',
    compression: 'gzip',
    encoding: { codec: 'json' },
    auth: { strategy: 'bearer', token: expect.any(String) },
    healthcheck: { uri: `${reader.url}/healthz` },
  })
  const token = `Bearer ${(sink.auth as Json).token}`
  return {
    url: String(sink.uri),
    headers: { ...filledHeaders({ Authorization: token }, /\$\{(\w+)\}/, reader), 'content-type': 'application/json' },
    body: JSON.stringify([{ host: 'web-1', message: 'shipped by vector', timestamp: new Date().toISOString() }]),
  }
}

function fromFluentBit({ pipeline }: Json, reader: Reader): Shipment {
  const [output = {}] = (pipeline as { outputs: Json[] }).outputs
  const { host, port, uri, header, json_date_key: timeKey, ...others } = output
  expect(others).toEqual({
    name: 'http',
    match: '*',
    format: 'json_lines',
    json_date_format: 'iso8601',
    compress: 'gzip',
  })
  // A name and a value, separated by the first space.
  const headers = Object.fromEntries(
    (header as string[]).map((one) => [one.split(' ', 1)[0], one.replace(/^\S+ /, '')]),
  )
  return {
    url: `http://${host}:${port}${uri}`,
    headers: { ...filledHeaders(headers, /\$\{(\w+)\}/, reader), 'content-type': 'application/json' },
    body: `${JSON.stringify({ [String(timeKey)]: new Date().toISOString(), log: 'shipped by fluent bit' })}\n`,
  }
}

function filledHeaders(headers: Json, variable: RegExp, { ingestKey }: Reader): Record<string, string> {
  const known: Record<string, string> = { TIDEMARK_INGEST_KEY: ingestKey }
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      String(value).replace(variable, (_, one: string) => known[one] ?? `unknown ${one}`),
    ]),
  )
}
