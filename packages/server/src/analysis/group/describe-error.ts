/** What an analysis is called and shows, from the first record of its group. Text is a stranger's: made visible, and cut. */
import { replaceTerminalSequences, replaceUnseenBetweenLetters } from '@tidemark/wire/stranger-text'
import type { LogRecord } from '../../model/log-record.ts'
import { findStack } from '../stack/parse-stack.ts'
import type { Stack } from '../stack/types.ts'
import { fingerprintOf } from './fingerprint.ts'

export type DescribedRecord = Pick<LogRecord, 'level' | 'message' | 'service' | 'logger' | 'error'>

type ErrorDescription = {
  /** Exception type and message, or the message. One line. */
  title: string
  type: string
  /** The top frame of the program itself, `function (file)`; empty when unknown. */
  where: string
  grouping: string
  message: string
  error: { type: string; message: string; stack: string } | null
}

const TITLE_CHARACTERS = 200
const NAME_CHARACTERS = 255
export const MESSAGE_BYTES = 4 * 1024
const STACK_BYTES = 16 * 1024
/** For a stack that is too long: some languages name the place of the error last. */
const STACK_TAIL_BYTES = 4 * 1024

export function describeError(record: DescribedRecord): ErrorDescription {
  const { error, message } = record
  const stack = (error !== null && error.stack !== '' ? findStack(error.stack) : null) ?? findStack(message)
  const type = oneLine(error?.type || stack?.exceptions[0]?.type || '', NAME_CHARACTERS)
  const said = error?.message || stack?.exceptions[0]?.message || message
  return {
    title: titleOf(type, oneLine(said, TITLE_CHARACTERS)),
    type,
    where: oneLine(whereOf(stack), NAME_CHARACTERS),
    grouping: oneLine(fingerprintOf(record)?.grouping.explanation ?? '', NAME_CHARACTERS),
    message: cut(message, MESSAGE_BYTES),
    error:
      error === null
        ? null
        : {
            type: oneLine(error.type, NAME_CHARACTERS),
            message: cut(error.message, MESSAGE_BYTES),
            stack: cutStack(error.stack),
          },
  }
}

function titleOf(type: string, said: string): string {
  if (type === '' || said === type || said.startsWith(`${type}:`)) return said || type || 'An error without a message'
  return oneLine(said === '' ? type : `${type}: ${said}`, TITLE_CHARACTERS)
}

function whereOf(stack: Stack | null): string {
  for (const { frames } of stack?.exceptions ?? []) {
    const frame = frames.find(({ inApp }) => inApp)
    if (frame === undefined) continue
    if (frame.function === '' || frame.file === '') return frame.function || frame.file
    return `${frame.function} (${frame.file})`
  }
  return ''
}

/** The first line that says anything. */
function oneLine(text: string, maxCharacters: number): string {
  const line =
    text
      .slice(0, 4 * maxCharacters + 1_000)
      .split(/[\r\n]+/)
      .map(visible)
      .find((one) => one !== '') ?? ''
  return line.length <= maxCharacters ? line : `${whole(line.slice(0, maxCharacters - 1)).trimEnd()}…`
}

/** Without colours, controls, and what would turn or hide the text around it. */
function visible(text: string): string {
  const seen = replaceUnseenBetweenLetters(replaceTerminalSequences(text), (one) =>
    /[\p{Cc}\p{Z}]/u.test(one) ? ' ' : '',
  )
  return whole(seen.replace(/\s+/g, ' ').trim())
}

function cutStack(stack: string): string {
  if (Buffer.byteLength(stack) <= STACK_BYTES) return stack
  const tail = Buffer.from(stack).subarray(-STACK_TAIL_BYTES)
  const gap = '\n…\n'
  const head = cut(stack, STACK_BYTES - STACK_TAIL_BYTES - Buffer.byteLength(gap))
  return head + gap + tail.subarray(characterStart(tail, 0)).toString()
}

/** At most `maxBytes` bytes of UTF-8, never half a character. */
export function cut(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && isInside(bytes[end])) end--
  return bytes.toString('utf8', 0, end)
}

function characterStart(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && isInside(bytes[at])) at++
  return at
}

function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** Without the half of a surrogate pair that a cut left at the end. */
function whole(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}
