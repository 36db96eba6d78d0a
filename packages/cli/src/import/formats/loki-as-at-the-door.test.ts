import { namesOf, SLOTS } from '@tidemark/wire/field-names'
import { LOKI_NAMES } from '@tidemark/wire/senders/loki-names'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RECEIVED_US, readBody } from '../../../../server/src/ingest/testing/read-body.ts'
import { storedByImport, told } from '../../testing/stored-by-import.ts'

type Labels = Record<string, string>

const TIME_US = RECEIVED_US - 3_600_000_000 + 123_456
const TIME = '2026-01-02T02:04:05.123456000Z'
const NANOSECONDS = `${TIME_US}000`

it.each<[string, line: unknown, labels: Labels, metadata?: Labels]>([
  ['with a text', 'cart is empty', { app: 'shop', env: 'staging', pod: 'p1' }],
  ['with a level that Loki found', 'cart is empty', { job: 'shop', detected_level: 'warn' }],
  ['of a node', 'cart is empty', { job: 'shop', node_name: 'n1', instance: 'i1', service_version: '1.2.3' }],
  [
    'with several names of one field',
    'x',
    { job: 'a', container: 'b', app: 'c', service_name: 'd', host: 'h', node: 'n' },
  ],
  ['with names of times and messages', 'x', { date: 'monday', msg: 'y', event: 'z', name: 'n', pid: '7' }],
  ['with a time of its own', { time: '2026-01-02T03:04:00Z', msg: 'x' }, { job: 'shop' }],
  ['with the same time of its own', { time: '2026-01-02T02:04:05.123Z', msg: 'x' }, { job: 'shop' }],
  ['with a time under our name', { timestamp: '2026-01-02T03:04:00Z', msg: 'x' }, { job: 'shop' }],
  ['with the same time under our name', { timestamp: TIME_US / 1_000, msg: 'x' }, { job: 'shop' }],
  ['with a time that is a duration', { time: 0.12, msg: 'GET /' }, { job: 'shop' }],
  ['with a time that is none', { timestamp: 'soon', msg: 'x' }, { job: 'shop' }],
  ['with a host of its own', { hostname: 'a', msg: 'x' }, { host: 'b', instance: 'c' }],
  ['with a release of its own', { version: '1', msg: 'x' }, { release: '2', service_version: '3' }],
  ['with a logger of its own', { loggerName: 'a', msg: 'x' }, { logger: 'b' }],
  ['with a trace of its own', { trace_id: 'a', span_id: 's', msg: 'x' }, { traceId: 'b', spanID: 's' }],
  ['with a trace among its attributes', { msg: 'x', attributes: { trace_id: 'a' } }, { pod: 'p1', trace_id: 'a' }],
  ['with a service in an object', { service: { name: 'a' }, msg: 'x' }, { app: 'b' }],
  ['with half a service', { service: { id: 7 }, host: null, msg: 'x' }, { app: 'b', host: 'c' }],
  ['with a level that says the same', { level: 30, msg: 'x' }, { level: 'info', detected_level: 'info' }],
  ['with a level that says something else', { level: 'error', msg: 'x' }, { level: 'info', detected_level: 'info' }],
  ['with an attribute of the name of a label', { pod: 'a', msg: 'x' }, { pod: 'b' }],
  ['with an error of its own', { error: { message: 'no', code: 7 } }, { error: 'yes', exception: 'perhaps' }],
  ['with an error that is none', { error: { code: 7 } }, { job: 'shop' }],
  ['with a number of OpenTelemetry for a level', 'x', { severity_number: '17' }],
  ['with the name of a time that it uses for something else', { date: 'monday', msg: 'x' }, { date: 'tuesday' }],
  ['with nothing to say', {}, { job: 'shop' }],
  ['with metadata', 'x', { job: 'shop', pod: 'a' }, { trace_id: 't', pod: 'b', level: 'warn' }],
  ['with metadata beside JSON', { msg: 'x', pod: 'c' }, { pod: 'a' }, { pod: 'b', host: 'h' }],
])('an entry %s is the same record in an import and at the door', async (_, content, labels, metadata) => {
  const line = typeof content === 'string' ? content : JSON.stringify(content)
  const record = atTheDoor(line, labels, metadata)
  expect(await storedByImport(JSON.stringify(answered(line, labels, metadata)), 'loki')).toEqual(record)
  if (metadata) return
  const written = { labels, line, timestamp: TIME }
  expect(await storedByImport(JSON.stringify(written), 'loki')).toEqual(record)
  if (Object.keys(labels).length > 1 || !labels.job) return
  const attributes = { ...record.attributes, pod: 'p1' }
  expect(await storedByImport(`[pod/p1/${labels.job}] ${TIME} ${line}`, 'container')).toEqual({ ...record, attributes })
})

/** Where names collide, an attribute may be called otherwise. */
it('whatever a line and its labels say, an import finds the fields that the door finds, and loses nothing', async () => {
  const names = SLOTS.flatMap(namesOf)
  const lokiNames = Object.values(LOKI_NAMES).flatMap((list) => list.split(' '))
  const text = fc.constantFrom('shop', 'info', 'error', 'x', '3', '17')
  const value = fc.oneof(
    text,
    fc.constantFrom<unknown>('', 3, 24, true, null, TIME_US / 1_000, { message: 'm' }, { id: 7 }),
  )
  // The number of a level has no second name that means the same, and an environment that is no text is refused.
  const own = fc.dictionary(
    fc.constantFrom(...names.filter((name) => !/number|^environment$/i.test(name)), 'pod'),
    value,
    {
      maxKeys: 4,
    },
  )
  const label = fc.constantFrom(...names.filter((name) => /^\w+$/.test(name)), ...lokiNames, 'pod')
  const labels = fc.dictionary(label, text, { maxKeys: 4 })
  const cases = fc.sample(fc.tuple(own, labels, labels), { numRuns: 1_000, seed: 1 })
  for (const [fields, stream, metadata] of cases) {
    const line = JSON.stringify(fields)
    const { attributes, ...found } = atTheDoor(line, stream, metadata)
    const imported = await storedByImport(JSON.stringify(answered(line, stream, metadata)), 'loki')
    expect({ ...imported, attributes: valuesOf(imported.attributes) }, line).toEqual({
      ...found,
      attributes: valuesOf(attributes),
    })
  }
})

function answered(line: string, labels: Labels, metadata: Labels | undefined) {
  return { status: 'success', data: { resultType: 'streams', result: [streamOf(line, labels, metadata)] } }
}

function streamOf(line: string, labels: Labels, metadata: Labels | undefined) {
  return { stream: labels, values: [[NANOSECONDS, line, ...(metadata ? [metadata] : [])]] }
}

function atTheDoor(line: string, labels: Labels, metadata: Labels | undefined) {
  const push = JSON.stringify({ streams: [streamOf(line, labels, metadata)] })
  const { records, rejected } = readBody(push, { sender: { protocol: 'loki' } })
  expect(rejected).toEqual([])
  return told(records[0]!)
}

function valuesOf(attributes: object): string[] {
  return Object.values(attributes).map(String).sort()
}
