/** The errors that a place in the code, a stack or a line of text stands for. */
import { MAX_ANALYSES_QUERY_CHARACTERS } from '@tidemark/wire/limits'
import { anyOf, type Expression, NOWHERE } from '@tidemark/wire/query/ast'
import { MAX_QUERY_CHARACTERS } from '@tidemark/wire/query/limits'
import type { LinkTarget } from '@tidemark/wire/reading/link'
import { equals } from '../../analysis/field-query.ts'
import { fingerprintId } from '../../analysis/group/fingerprint.ts'
import { toHex } from '../../analysis/pattern/hash.ts'
import { patternId } from '../../analysis/pattern/pattern.ts'
import { findStack } from '../../analysis/stack/parse-stack.ts'
import type { Analysis } from '../../model/analysis.ts'
import { type Asked, findRecords, MAX_FOUND } from './find-named.ts'
import { analysisTarget } from './link-targets.ts'
import { messagesIn, type Place, tellingWords } from './parse-pasted.ts'

const MAX_WORDS = 6
/** A shorter text stands in almost everything. */
const MIN_TEXT_CHARACTERS = 3
/** The last parts of a path, most first: a machine's own folders stand before them. */
const TAILS = [Number.POSITIVE_INFINITY, 3, 2, 1]

/** `exact`: the line too, and not the file alone. */
type FoundAtPlace = { found: LinkTarget[]; exact: boolean }

/** Analyses whose stack has the place; where none has, those whose stack has the file, and the function if it is known. */
export async function findAtPlace(asked: Asked, place: Place): Promise<FoundAtPlace> {
  for (const tail of tailsOf(place.file)) {
    const text = placeText(tail, place.line)
    const analyses = await analysesWith(asked, [text])
    if (analyses.length > 0) return { found: targets(asked, ofExactly(analyses, text)), exact: true }
  }
  for (const tail of tailsOf(place.file)) {
    const analyses = await analysesWith(asked, place.function === '' ? [tail] : [tail, place.function])
    if (analyses.length > 0) return { found: targets(asked, analyses), exact: false }
  }
  return { found: [], exact: false }
}

/** By the fingerprint that such an error would get; else by the topmost frame that is the program's own. */
export async function findByStack(asked: Asked, text: string): Promise<LinkTarget[]> {
  const stack = findStack(text)
  if (stack === null) return []
  const [outermost] = stack.exceptions
  const error = { type: outermost?.type ?? '', message: outermost?.message ?? '', stack: text }
  const hash = fingerprintId({ level: 'error', message: '', service: '', logger: '', error })
  const alike = hash === null ? [] : await list(asked, { fingerprint: toHex(hash) })
  if (alike.length > 0) return targets(asked, alike)
  const frames = stack.exceptions.flatMap((exception) => exception.frames)
  const frame = frames.find(({ inApp }) => inApp) ?? frames[0]
  if (frame === undefined || frame.file === '') return []
  const { function: name, file, line } = frame
  return (await findAtPlace(asked, { function: name, file, line: line ?? 0 })).found
}

/** Analyses by their title or message, records by the pattern of the message; else whatever has its telling words. */
export async function findByText(asked: Asked, text: string): Promise<LinkTarget[]> {
  const messages = messagesIn(text)
  for (const message of messages) {
    if (message.length < MIN_TEXT_CHARACTERS || message.length > MAX_ANALYSES_QUERY_CHARACTERS) continue
    const analyses = await analysesWith(asked, [message])
    if (analyses.length > 0) return targets(asked, analyses)
  }
  const records = await findRecords(asked, 'pattern', patternsOf(messages))
  if (records !== null) return [...(await analysisOf(asked, records)), records]
  const words = tellingWords(messages[0] ?? '', MAX_WORDS)
  const analyses = words.length < 2 ? [] : await analysesWith(asked, words)
  if (analyses.length > 0) return targets(asked, analyses)
  const root = phrase(messages[0] ?? text)
  const said = root === null ? null : await findRecords(asked, 'text', { root, id: '' })
  return said === null ? [] : [said]
}

/** A search for it in the messages; null for more than a query has room for. */
export function phrase(text: string): Expression | null {
  const [value = ''] = text.trim().split('\n')
  if (value.length < MIN_TEXT_CHARACTERS || value.length > MAX_QUERY_CHARACTERS / 2) return null
  return { kind: 'text', match: { kind: 'literal', value, quoted: true }, span: NOWHERE }
}

function patternsOf(messages: readonly string[]): { root: Expression; id: string } {
  const ids = messages.map((message) => toHex(patternId(message)))
  const root = anyOf(ids.map((id) => equals('pattern', id)))
  if (root === null) throw new Error('a text that is not empty has a message')
  return { root, id: ids[0]! }
}

/** The analysis of the newest of these records. */
async function analysisOf({ parts, project }: Asked, { analysisId }: LinkTarget): Promise<LinkTarget[]> {
  const analysis = analysisId === null ? null : await parts.control.analyses.get(project.id, analysisId)
  return analysis === null ? [] : [analysisTarget(analysis, parts.now() * 1_000)]
}

function tailsOf(file: string): string[] {
  const parts = file.split(/[/\\]/).filter(Boolean)
  return [...new Set(TAILS.map((most) => parts.slice(-Math.min(most, parts.length)).join('/')))]
}

/** As the language of the file writes it into a stack. */
function placeText(file: string, line: number): string {
  if (/\.pyw?$/i.test(file)) return `${file}", line ${line}`
  if (/\.(?:cs|vb|fs)$/i.test(file)) return `${file}:line ${line}`
  return /\.php$/i.test(file) ? `${file}(${line})` : `${file}:${line}`
}

/** A search for line 4 also finds line 42: those of line 4 itself, if there are any. */
function ofExactly(analyses: Analysis[], text: string): Analysis[] {
  const place = new RegExp(`${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\d)`, 'i')
  const exact = analyses.filter(({ sample, where }) => place.test(`${where}\n${sample.error?.stack ?? sample.message}`))
  return exact.length > 0 ? exact : analyses
}

function analysesWith(asked: Asked, words: readonly string[]): Promise<Analysis[]> {
  return list(asked, { words })
}

function list({ parts, project }: Asked, filter: { words?: readonly string[]; fingerprint?: string }) {
  const nowUs = parts.now() * 1_000
  return parts.control.analyses.list(project.id, { ...filter, sort: 'lastSeen', limit: MAX_FOUND }, nowUs)
}

function targets({ parts }: Asked, analyses: readonly Analysis[]): LinkTarget[] {
  return analyses.map((one) => analysisTarget(one, parts.now() * 1_000))
}
