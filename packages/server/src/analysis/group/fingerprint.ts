/**
 * Which group of similar errors a record belongs to. A group is identified by the program, not the machine, the build
 * or the data: no line numbers, ids, directories or build hashes count. A stored fingerprint depends on all of it, so a
 * change here splits every group that is affected.
 */
import { counted } from '@tidemark/wire/text/counted'
import { isError, type LogRecord } from '../../model/log-record.ts'
import { addHash, addText, finish, type Hash64, newLanes } from '../pattern/hash.ts'
import { boldPatternId } from '../pattern/pattern.ts'
import { stackOf } from '../stack/parse-stack.ts'
import { stableBaseName } from '../stack/stack-file.ts'
import type { Stack, StackException, StackFrame } from '../stack/types.ts'

export type FingerprintInput = Pick<LogRecord, 'level' | 'message' | 'service' | 'logger' | 'error'> & {
  /** The stack by source positions, which then counts instead of the one that was sent. */
  sourceStack?: string | undefined
}

type Grouping = { by: 'stack' | 'type' | 'message'; explanation: string }

/** Frames of one exception that count. Deeper ones are the way a request came in, and recursion. */
const MAX_COUNTED_FRAMES = 30
const MAX_COUNTED_EXCEPTIONS = 8

/** Null when the record is not an error. */
export function fingerprintOf(record: FingerprintInput): (Hash64 & { grouping: Grouping }) | null {
  if (!isError(record)) return null
  const facts = gather(record)
  return { ...hashOf(facts, record), grouping: { by: facts.by, explanation: explain(facts) } }
}

/** The same without the explanation, for ingest. */
export function fingerprintId(record: FingerprintInput): Hash64 | null {
  return isError(record) ? hashOf(gather(record), record) : null
}

type Facts =
  | { by: 'stack'; types: string[]; frames: string[]; inApp: boolean }
  | { by: 'type'; type: string; message: string }
  | { by: 'message'; message: string }

function gather(record: FingerprintInput): Facts {
  const { error, message } = record
  const stack = stackOf(record)
  if (stack !== null) {
    const facts = stackFacts(stack, error?.type ?? '')
    if (facts.frames.length > 0) return facts
  }
  const type = error?.type || stack?.exceptions[0]?.type || ''
  const text = error?.message || message
  return type === '' ? { by: 'message', message: text } : { by: 'type', type, message: text }
}

function stackFacts(stack: Stack, givenType: string): Extract<Facts, { by: 'stack' }> {
  const inApp = stack.exceptions.some(({ frames }) => frames.some((frame) => frame.inApp))
  const types: string[] = []
  const frames: string[] = []
  for (const [at, exception] of stack.exceptions.slice(0, MAX_COUNTED_EXCEPTIONS).entries()) {
    types.push(at === 0 && givenType !== '' ? givenType : exception.type)
    frames.push(...identitiesOf(exception, inApp))
  }
  return { by: 'stack', types, frames, inApp }
}

function identitiesOf(exception: StackException, inApp: boolean): string[] {
  const identities: string[] = []
  for (const frame of exception.frames) {
    if (inApp && !frame.inApp) continue
    const identity = identityOf(frame)
    // How often a recursive function appears depends on the data.
    if (identity === '' || identity === identities.at(-1)) continue
    if (identities.push(identity) === MAX_COUNTED_FRAMES) break
  }
  return identities
}

/** Function and file name. A minifier gives a function a new short name in each build, so then only the file counts. */
function identityOf(frame: StackFrame): string {
  const file = frame.file.startsWith('<') || frame.file.startsWith('[') ? '' : stableBaseName(frame.file)
  const isMinified = frame.function.length <= 2 && frame.column !== null && frame.column > 500
  const name = isMinified ? '' : frame.function
  return name === '' && file === '' ? '' : `${name}@${file.toLowerCase()}`
}

function hashOf(facts: Facts, record: FingerprintInput): Hash64 {
  const lanes = newLanes()
  addText(lanes, facts.by)
  if (facts.by === 'stack') {
    for (const type of facts.types) addText(lanes, type)
    for (const frame of facts.frames) addText(lanes, frame)
  } else if (facts.by === 'type') {
    addText(lanes, facts.type)
    addHash(lanes, boldPatternId(facts.message))
  } else {
    addText(lanes, record.service)
    addText(lanes, record.logger)
    addHash(lanes, boldPatternId(facts.message))
  }
  return finish(lanes.a, lanes.b)
}

function explain(facts: Facts): string {
  if (facts.by === 'message') return 'grouped by message pattern, service and logger'
  if (facts.by === 'type') return `grouped by ${facts.type} and message pattern`
  const types = facts.types.filter((type) => type !== '')
  const name = types.length === 0 ? 'error' : types.join(' caused by ')
  return `grouped by ${name} and ${counted(facts.frames.length, facts.inApp ? 'in-app frame' : 'frame')}`
}
