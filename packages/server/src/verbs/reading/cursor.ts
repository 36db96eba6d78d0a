/**
 * A cursor is a position in an answer: the last row that was given, the window as it was at the first page, and a hash
 * of the question. It is signed, so its holder can only continue: not widen the window, change the question or read
 * another project.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../errors.ts'

/** A row in the merged order of records and deploys. `createdAt` orders deploys of the same moment. */
export type Position =
  | { kind: 'log'; timeUs: number; id: string }
  | { kind: 'deploy'; timeUs: number; id: string; createdAt: string }

/** An analysis, with the value that its list is sorted by. */
export type AnalysisPosition = { kind: 'analysis'; value: number; id: string }

export type Cursor<After = Position> = { fromUs: number; toUs: number; after: After }

/** What a cursor is valid for. `question` is everything that decides which rows there are and in which order. */
export type CursorScope = { projectId: string; question: readonly (string | undefined)[] }

export type Cursors = {
  seal(cursor: Cursor<Position | AnalysisPosition>, scope: CursorScope): string
  /** Throws an error with what to do when it is not our cursor for this project and question. */
  open(text: string, scope: CursorScope): Cursor
  openAnalyses(text: string, scope: CursorScope): Cursor<AnalysisPosition>
}

const MAC_BYTES = 32
const ANOTHER_QUESTION = 'This cursor belongs to another question: repeat the same query, filters and order.'
const timeUs = z.int().min(0)
const payload = z.object({
  v: z.literal(1),
  project: z.string(),
  question: z.string(),
  fromUs: timeUs,
  toUs: timeUs,
  after: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('log'), timeUs, id: z.string() }),
    z.object({ kind: z.literal('deploy'), timeUs, id: z.string(), createdAt: z.string() }),
    z.object({ kind: z.literal('analysis'), value: z.int(), id: z.string() }),
  ]),
})

export function createCursors(secretKey: string): Cursors {
  // A separate key: what is signed here can never pass for something that the same secret signs elsewhere.
  const key = createHmac('sha256', secretKey).update('tidemark cursor 1').digest()
  const mac = (bytes: Buffer) => createHmac('sha256', key).update(bytes).digest()

  function read(text: string, { projectId, question }: CursorScope): Cursor<Position | AnalysisPosition> {
    const whole = Buffer.from(text, 'base64url')
    const bytes = whole.subarray(MAC_BYTES)
    const isOurs = bytes.length > 0 && timingSafeEqual(mac(bytes), whole.subarray(0, MAC_BYTES))
    // Other encodings of the same bytes are not accepted either.
    if (!isOurs || whole.toString('base64url') !== text) {
      throw refused('This is not a cursor that was given here, or it was changed.')
    }
    const read = payload.safeParse(JSON.parse(bytes.toString('utf8')))
    if (!read.success) throw refused('This cursor was made by another version of the service.')
    if (read.data.project !== projectId) throw refused('This cursor belongs to another project.')
    if (read.data.question !== questionHash(question)) throw refused(ANOTHER_QUESTION)
    const { fromUs, toUs, after } = read.data
    return { fromUs, toUs, after }
  }

  return {
    seal({ fromUs, toUs, after }, { projectId, question }) {
      const body = { v: 1, project: projectId, question: questionHash(question), fromUs, toUs, after }
      const bytes = Buffer.from(JSON.stringify(body))
      return Buffer.concat([mac(bytes), bytes]).toString('base64url')
    },

    open(text, scope) {
      const { after, ...window } = read(text, scope)
      if (after.kind === 'analysis') throw refused(ANOTHER_QUESTION)
      return { ...window, after }
    },

    openAnalyses(text, scope) {
      const { after, ...window } = read(text, scope)
      if (after.kind !== 'analysis') throw refused(ANOTHER_QUESTION)
      return { ...window, after }
    },
  }
}

function questionHash(question: CursorScope['question']): string {
  const canonical = JSON.stringify(question.map((part) => part ?? null))
  return createHash('sha256').update(canonical).digest('base64url').slice(0, 22)
}

function refused(reason: string): AppError {
  const message = `${reason} To start again, leave the cursor out.`
  return new AppError('invalid_request', message, { fields: [{ path: 'cursor', message }] })
}
