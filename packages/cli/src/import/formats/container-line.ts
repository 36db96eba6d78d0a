/**
 * Lines as `docker logs --timestamps` and `kubectl logs --timestamps` write them, with or without `--prefix`, as Kubernetes
 * stores them on its nodes, and as Docker stores them in `*-json.log`. Every line has a time, so the text after it tells
 * which lines belong together.
 */
import { isObject } from '@tidemark/wire/is-object'
import { parseJson } from '@tidemark/wire/parse-json'
import { type Beside, objectIn } from '../beside.ts'
import { readLineStart } from '../line-start.ts'
import { type Line, MAX_LINE_BYTES } from '../read-lines.ts'
import type { StartOfLine } from '../read-text.ts'

const LINE =
  /^(?:\[pod\/([^/\]\s]{1,253})\/([^\]\s]{1,253})\] )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) ?(?:(stdout|stderr) [FP] )?(.*)$/s
/** Docker writes nine digits, Kubernetes up to nine. Programs that write their own times write fewer. */
const FINE = /^(?:\[pod\/\S+\] )?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7,9}(?:Z|[+-]\d\d:\d\d)(?: |$)/

const CONTAINER = { slot: 'service', rank: 0 } as const

export const startOfContainerLine: StartOfLine = (line) => {
  const found = dockerParts(line) ?? parts(line)
  if (!found) return { start: readLineStart(line), text: line, isNew: false }
  const { pod, container, timestamp, stream, attrs, text } = found
  const fields = objectIn(text)
  if (fields) {
    const beside: Beside[] = [
      ...(container ? [{ name: 'container', value: container, place: CONTAINER }] : []),
      ...(pod ? [{ name: 'pod', value: pod }] : []),
      ...(stream ? [{ name: 'stream', value: stream }] : []),
      ...(attrs !== undefined ? [{ name: 'attrs', value: attrs }] : []),
    ]
    return { start: { message: text }, text, isNew: true, object: { fields, time: timestamp, beside } }
  }
  const { timestamp: own, ...start } = readLineStart(text)
  const known = {
    timestamp,
    ...(container && { service: container, pod }),
    ...(stream && { stream }),
    ...(attrs !== undefined && { attrs }),
  }
  return { start: { ...start, ...known }, text, isNew: own !== undefined }
}

type Parts = { pod?: string; container?: string; timestamp: string; stream?: string; attrs?: unknown; text: string }

function parts(line: string): Parts | undefined {
  const [all, pod, container, timestamp = '', stream, text = ''] = LINE.exec(line) ?? []
  if (all === undefined) return undefined
  return { timestamp, text, ...(container && { pod: pod!, container }), ...(stream && { stream }) }
}

function dockerParts(line: string): Parts | undefined {
  const value = line.startsWith('{') ? parseJson(line) : undefined
  if (!isDockerLine(value)) return undefined
  const { log, time, ...rest } = value
  return { ...rest, timestamp: time, text: log.replace(/\r?\n$/, '') }
}

type DockerLine = { log: string; stream: string; time: string; attrs?: unknown }
const DOCKER_NAMES = new Set(['log', 'stream', 'time', 'attrs'])

/** An object of Docker's `json-file` driver. */
export function isDockerLine(value: unknown): value is DockerLine {
  if (!isObject(value) || !Object.keys(value).every((name) => DOCKER_NAMES.has(name))) return false
  return typeof value.log === 'string' && typeof value.stream === 'string' && typeof value.time === 'string'
}

/** True for a text that begins with a time of its own, which a record in JSON is not. */
export function isTimedContainerLine(line: string): boolean {
  const { isNew, object } = startOfContainerLine(line)
  return isNew && object === undefined
}

export function isContainerLine(line: string): boolean {
  return FINE.test(line)
}

/** Joins the pieces that Docker and Kubernetes make of lines over 16 KiB. The streams of a container are separate. */
export async function* joinPieces(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  const open = new Map<string, { line: Line; text: string }>()
  for await (const line of lines) {
    const piece = pieceIn(line.text)
    const held = piece && open.get(piece.stream)
    if (!piece || (!held && piece.isLast)) {
      yield line
      continue
    }
    const text = (held?.text ?? '') + (held && held.text.length > MAX_LINE_BYTES ? '' : piece.text)
    const joined = {
      line: { ...line, number: held?.line.number ?? line.number, text: held?.line.text ?? line.text },
      text,
    }
    if (piece.isLast) {
      open.delete(piece.stream)
      yield wholeLine(joined)
    } else open.set(piece.stream, joined)
  }
  for (const unfinished of open.values()) yield wholeLine(unfinished)
}

/** With the time of the first piece. */
function wholeLine({ line, text }: { line: Line; text: string }): Line {
  const [, head] = PIECE.exec(line.text) ?? []
  return {
    ...line,
    text: head ? `${head} F ${text}` : JSON.stringify({ ...(parseJson(line.text) as DockerLine), log: text }),
  }
}

const PIECE = /^(\d{4}-\d\d-\d\dT\S{8,24} (stdout|stderr)) ([FP]) (.*)$/s

/** The part of a line that this is, or undefined for a line that cannot be in pieces. */
function pieceIn(line: string): { stream: string; isLast: boolean; text: string } | undefined {
  const [, , stream, mark, text = ''] = PIECE.exec(line) ?? []
  if (stream !== undefined) return { stream, isLast: mark === 'F', text }
  const value = line.startsWith('{') ? parseJson(line) : undefined
  return isDockerLine(value) ? { stream: value.stream, isLast: value.log.endsWith('\n'), text: value.log } : undefined
}
