/** What a search for words covers: all that describes an analysis, and the places in its stack. Bounded, folded. */

import { cutToBytes } from '@tidemark/wire/text/cut-bytes'
import type { AnalysisSample } from '../../model/analysis.ts'
import { findStack } from '../stack/parse-stack.ts'
import type { StackFrame } from '../stack/types.ts'
import { MESSAGE_BYTES } from './describe-error.ts'

/** About a hundred frames. */
const STACK_BYTES = 8 * 1024
const OWN_FRAMES_BYTES = 3 * 1024
const FACE_BYTES = 2 * 1024

type SearchedAnalysis = { title: string; type: string; where: string; sample: AnalysisSample }

export function searchTextOf({
  title,
  type,
  where,
  sample: { message, error, sourceStack },
}: SearchedAnalysis): string {
  return [
    bounded([title, type, where].join('\n'), FACE_BYTES),
    bounded(message, MESSAGE_BYTES),
    bounded(error?.message ?? '', MESSAGE_BYTES),
    stackText(error?.stack ?? ''),
    ...(sourceStack ? [stackText(sourceStack)] : []),
  ].join('\n')
}

/** The words of a search. Text in quotes is one word with its spaces; an unpaired quote is an ordinary character. */
export function wordsOf(query: string): string[] {
  const words = [...query.matchAll(/"([^"]*)"|\S+/g)].map(([word, phrase]) => phrase?.trim() ?? word)
  return words.filter((word) => word !== '')
}

/** Folded here, because the databases disagree about case. */
export function foldedText(text: string): string {
  return text.toLowerCase()
}

/** Lower case may take more bytes than upper case, so it is cut afterwards. */
function bounded(text: string, maxBytes: number): string {
  return cutToBytes(foldedText(text), maxBytes)
}

/** As it was sent, each line once. If it is too long, the program's own frames come first: they say most. */
function stackText(stack: string): string {
  const lines = [...new Set(stack.split(/[\r\n]+/).map((line) => line.trim()))].join('\n')
  if (Buffer.byteLength(foldedText(lines)) <= STACK_BYTES) return foldedText(lines)
  const frames = (findStack(stack)?.exceptions ?? []).flatMap((exception) => exception.frames)
  const own = new Set(frames.filter(({ inApp }) => inApp).map(frameLine))
  return bounded(`${bounded([...own].join('\n'), OWN_FRAMES_BYTES)}\n${lines}`, STACK_BYTES)
}

function frameLine({ function: name, file, line, column }: StackFrame): string {
  return `${name} (${[file, line, column].filter((part) => part !== null).join(':')})`
}
