import { MAX_ATTRIBUTES, MAX_RECORD_BYTES } from '@tidemark/wire/limits'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { AppError } from '../../../errors.ts'

export type Labels = readonly (readonly [name: string, value: string])[]

/** `{app="shop", env="production"}`, as the protobuf form carries the labels of a stream. Values are quoted as in Go. */
export function parseLabels(text: string): Labels {
  // Before anything looks for a pattern in it: no record could hold so much.
  if (text.length > MAX_RECORD_BYTES) throw tooLarge()
  const labels: [string, string][] = []
  const open = /^\s*\{\s*/.exec(text)
  if (open === null) throw badLabels()
  let at = open[0].length
  while (text[at] !== '}') {
    LABEL.lastIndex = at
    const [all = '', quotedName, plainName = '', quoted, raw = ''] = LABEL.exec(text) ?? []
    if (all === '') throw badLabels()
    const name = quotedName === undefined ? plainName : unescaped(quotedName)
    if (name === '') throw badLabels()
    if (labels.length >= MAX_ATTRIBUTES) throw tooMany()
    labels.push([name, quoted === undefined ? raw : unescaped(quoted)])
    at += all.length
    if (text[at] !== '}' && !all.trimEnd().endsWith(',')) throw badLabels()
  }
  if (text.slice(at + 1).trim() !== '') throw badLabels()
  return labels
}

/** One pair with the comma after it. Each part ends at a character that it cannot hold, so nothing is tried twice. */
const LABEL =
  /(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s="{},`]+))\s*=\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|`([^`]*)`)\s*(?:,\s*)?/suy

function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted
  return quoted.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gsu,
    (_, hex, short, long, octal, letter) => {
      if (letter !== undefined) return SIMPLE.get(letter) ?? letter
      const code = Number.parseInt(hex ?? short ?? long ?? octal, octal === undefined ? 16 : 8)
      return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
    },
  )
}

const SIMPLE = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
])

function tooMany(): AppError {
  return new AppError('invalid_request', `A stream has more than ${MAX_ATTRIBUTES} labels. Send fewer labels.`)
}

function tooLarge(): AppError {
  const limit = sizeWords(MAX_RECORD_BYTES)
  return new AppError('invalid_request', `The labels of a stream hold more than ${limit}. Send shorter labels.`)
}

function badLabels(): AppError {
  return new AppError(
    'invalid_request',
    'The labels of a stream cannot be read. Send them as {name="value", other="value"}.',
  )
}
