/**
 * Lines as `docker logs --timestamps` and `kubectl logs --timestamps` write them, with or without `--prefix`, and as
 * Kubernetes keeps them on its nodes (where a line of more than 16 KiB is in pieces, and stays so): every line has a time, so
 * what belongs together is told by what follows it.
 */
import { type Beside, objectIn } from '../beside.ts'
import { readLineStart } from '../line-start.ts'
import type { StartOfLine } from '../read-text.ts'

const LINE =
  /^(?:\[pod\/([^/\]\s]{1,253})\/([^\]\s]{1,253})\] )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) ?(?:(stdout|stderr) [FP] )?(.*)$/s
/** Docker writes nine digits, Kubernetes up to nine. Programs that write their own times write fewer. */
const FINE = /^(?:\[pod\/\S+\] )?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7,9}(?:Z|[+-]\d\d:\d\d)(?: |$)/

const CONTAINER = { slot: 'service', rank: 0 } as const

export const startOfContainerLine: StartOfLine = (line) => {
  const found = LINE.exec(line)
  if (!found) return { start: readLineStart(line), text: line, isNew: false }
  const [, pod, container, timestamp = '', stream, text = ''] = found
  const fields = objectIn(text)
  if (fields) {
    const beside: Beside[] = [
      ...(container ? [{ name: 'container', value: container, place: CONTAINER }] : []),
      ...(pod ? [{ name: 'pod', value: pod }] : []),
      ...(stream ? [{ name: 'stream', value: stream }] : []),
    ]
    return { start: { message: text }, text, isNew: true, object: { fields, time: timestamp, beside } }
  }
  const { timestamp: own, ...start } = readLineStart(text)
  const known = { timestamp, ...(container && { service: container, pod }), ...(stream && { stream }) }
  return { start: { ...start, ...known }, text, isNew: own !== undefined }
}

export function isContainerLine(line: string): boolean {
  return FINE.test(line)
}
