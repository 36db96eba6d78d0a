import { isObject } from '@tidemark/wire/is-object'
import { MAX_ATTRIBUTES } from '@tidemark/wire/limits'
import { scanJson } from '../../../bytes/scan-json.ts'
import { AppError } from '../../../errors.ts'
import { parseChecked } from '../../parse/parse-checked.ts'
import { nanosToUs } from '../../record/timestamp.ts'
import type { Labels } from './label-text.ts'
import type { LokiEntry, LokiPush } from './push.ts'

/** `{ streams: [{ stream: { label: value }, values: [[nanoseconds, line, metadata?]] }] }` */
export function parsePushJson(bytes: Uint8Array): LokiPush {
  const scan = scanJson(bytes)
  const value = parseChecked(bytes, scan)
  const streams = isObject(value) && Object.hasOwn(value, 'streams') ? value.streams : undefined
  if (!Array.isArray(streams)) throw bad('the body is not a JSON object with a list of `streams`.')
  return {
    needsCleaning: scan.hasSuspectEscapes,
    streams: streams.map((stream: unknown, index) => {
      const at = `streams[${index}]`
      if (!isObject(stream)) throw bad(`${at} is not an object.`)
      if (!Array.isArray(stream.values)) throw bad(`${at}.values is not a list.`)
      return {
        labels: readStreamLabels(stream.stream, `${at}.stream`),
        entries: stream.values.map((entry: unknown, number) => readEntry(entry, `${at}.values[${number}]`)),
      }
    }),
  }
}

function readEntry(entry: unknown, at: string): LokiEntry {
  if (!Array.isArray(entry) || entry.length < 2 || entry.length > 3) {
    throw bad(`${at} is not a list of a time, a line and perhaps metadata.`)
  }
  const [nanos, line, metadata] = entry
  if (typeof line !== 'string') throw bad(`${at}[1], the line, is not a text.`)
  // A number that a double cannot hold has become its digits.
  const time = typeof nanos === 'string' || typeof nanos === 'number' ? nanosToUs(String(nanos)) : null
  if (time === null) throw bad(`${at}[0] is not a count of nanoseconds since 1970.`)
  return { time, line, metadata: metadata === undefined ? [] : readLabels(metadata, `${at}[2]`) }
}

function readStreamLabels(value: unknown, at: string): Labels {
  const labels = readLabels(value, at)
  if (labels.length > MAX_ATTRIBUTES) throw bad(`${at} has more than ${MAX_ATTRIBUTES} labels.`)
  if (labels.some(([name]) => name === '')) throw bad(`${at} holds a label without a name.`)
  return labels
}

function readLabels(value: unknown, at: string): Labels {
  if (!isObject(value)) throw bad(`${at} is not an object of labels.`)
  const labels = Object.entries(value)
  if (!labels.every((pair): pair is [string, string] => typeof pair[1] === 'string')) {
    throw bad(`${at} holds a label whose value is not a text.`)
  }
  return labels
}

function bad(problem: string): AppError {
  return new AppError(
    'invalid_request',
    `The push cannot be read: ${problem} Send a Loki push: {"streams":[{"stream":{},"values":[]}]}.`,
  )
}
