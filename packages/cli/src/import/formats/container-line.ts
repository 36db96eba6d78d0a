/**
 * Lines as `docker logs --timestamps` and `kubectl logs --timestamps` write them, with or without `--prefix`, and as
 * Kubernetes keeps them on its nodes (where a line of more than 16 KiB is in pieces, and stays so): every line has a time, so
 * what belongs together is told by what follows it.
 */
import { objectIn } from '../beside.ts'
import { readLineStart } from '../line-start.ts'
import type { StartOfLine } from '../read-text.ts'

const LINE =
  /^(?:\[pod\/([^/\]\s]{1,253})\/([^\]\s]{1,253})\] )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) ?(?:(stdout|stderr) [FP] )?(.*)$/s
/** Docker writes nine digits, Kubernetes up to nine. Programs that write their own times write fewer. */
const FINE = /^(?:\[pod\/\S+\] )?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7,9}(?:Z|[+-]\d\d:\d\d)(?: |$)/

export const startOfContainerLine: StartOfLine = (line) => {
  const found = LINE.exec(line)
  if (!found) return { start: readLineStart(line), text: line, isNew: false }
  const [, pod, container, timestamp = '', stream, text = ''] = found
  const beside = {
    timestamp,
    ...(container && { service: container, pod }),
    ...(stream && { stream }),
  }
  const fields = objectIn(text)
  if (fields) return { start: { message: text }, text, isNew: true, object: { fields, beside } }
  const { timestamp: own, ...start } = readLineStart(text)
  return { start: { ...start, ...beside }, text, isNew: own !== undefined }
}

export function isContainerLine(line: string): boolean {
  return FINE.test(line)
}
