/** What an analysis is called and shows, from the first record of its group. Text is a stranger's: made visible, and cut. */

import { cutToBytes, cutToLastBytes } from '@tidemark/wire/text/cut-bytes'
import { cutToUnits, cutWithin } from '@tidemark/wire/text/cut-text'
import { replaceTerminalSequences, replaceUnseenBetweenLetters } from '@tidemark/wire/text/stranger-text'
import { stackOf } from '../stack/parse-stack.ts'
import type { Stack } from '../stack/types.ts'
import { type FingerprintInput, fingerprintOf } from './fingerprint.ts'

export type DescribedRecord = FingerprintInput

type ErrorDescription = {
  /** Exception type and message, or the message. One line. */
  title: string
  type: string
  /** The top frame of the program itself, `function (file)`; empty when unknown. */
  where: string
  grouping: string
  message: string
  error: { type: string; message: string; stack: string } | null
  sourceStack: string | undefined
}

const TITLE_CHARACTERS = 200
const NAME_CHARACTERS = 255
export const MESSAGE_BYTES = 4 * 1024
const STACK_BYTES = 16 * 1024
/** For a stack that is too long: some languages name the place of the error last. */
const STACK_TAIL_BYTES = 4 * 1024

export function describeError(record: DescribedRecord): ErrorDescription {
  const { error, message } = record
  const stack = stackOf(record)
  const type = oneLine(error?.type || stack?.exceptions[0]?.type || '', NAME_CHARACTERS)
  const said = error?.message || stack?.exceptions[0]?.message || message
  return {
    title: titleOf(type, oneLine(said, TITLE_CHARACTERS)),
    type,
    where: oneLine(whereOf(stack), NAME_CHARACTERS),
    grouping: oneLine(fingerprintOf(record)?.grouping.explanation ?? '', NAME_CHARACTERS),
    message: cutToBytes(message, MESSAGE_BYTES),
    error:
      error === null
        ? null
        : {
            type: oneLine(error.type, NAME_CHARACTERS),
            message: cutToBytes(error.message, MESSAGE_BYTES),
            stack: cutStack(error.stack),
          },
    sourceStack: record.sourceStack && cutStack(record.sourceStack),
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
    cutToUnits(text, 4 * maxCharacters + 1_000)
      .split(/[\r\n]+/)
      .map(visible)
      .find((one) => one !== '') ?? ''
  return cutWithin(line, maxCharacters)
}

/** Without colours, controls, and what would turn or hide the text around it. */
function visible(text: string): string {
  const seen = replaceUnseenBetweenLetters(replaceTerminalSequences(text), (one) =>
    /[\p{Cc}\p{Z}]/u.test(one) ? ' ' : '',
  )
  return seen.replace(/\s+/g, ' ').trim()
}

function cutStack(stack: string): string {
  if (Buffer.byteLength(stack) <= STACK_BYTES) return stack
  const gap = '\n…\n'
  const head = cutToBytes(stack, STACK_BYTES - STACK_TAIL_BYTES - Buffer.byteLength(gap))
  return head + gap + cutToLastBytes(stack, STACK_TAIL_BYTES)
}
