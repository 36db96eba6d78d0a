import { isErrorLevel } from '@tidemark/wire/level'
import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import { type SearchAnswer, type SearchInput, searchAnswer, searchInput } from '@tidemark/wire/reading/search'
import { counted } from '@tidemark/wire/text/counted'
import { z } from 'zod'
import { comeLater } from '../cut-page.ts'
import { given, pageOfLogs, SEE_FIELDS } from '../next-calls.ts'
import { filterArguments, pageArguments, withDefaultFrom } from '../shared-arguments.ts'
import { rowLine } from '../text/render.ts'
import { listedRow, listRow, UNTRUSTED_OF_ROW } from '../text/rows.ts'
import { emptyFact, remarks, warnings, windowFact } from '../text/sentences.ts'
import { DETAILS, type Detail, detailNote, largestThatFits } from '../text/shorten.ts'
import { readCursor, writeCursor } from '../text/shown-ahead.ts'
import { defineTool, type Fit, type NextCall, type Reply, type ToolCall } from '../tool.ts'

const output = { ...searchAnswer.omit({ nearest: true }).shape, rows: z.array(listedRow), warnings }
type Answer = z.infer<z.ZodObject<typeof output>>
type Row = LogRow | DeployRow

/** How many deploys below the cut are shown ahead; fewer when they would push out the records. */
const SHOWN_AHEAD = [10, 3, 1, 0]
/** In place of the cursor of a page that is only measured; none is longer. */
const ROOM_FOR_CURSOR = '-'.repeat(450)
const BAREST = DETAILS.at(-1) ?? null

export const listLogsTool = defineTool({
  name: 'list_logs',
  title: 'List logs',
  description:
    'Log records that match, newest first, with deploys as rows between them. Narrow with query, level, service, environment and from/to before paging. Count first (count_logs) when there may be many.',
  input: {
    ...filterArguments,
    analysisId: searchInput.shape.analysisId.describe('ana_…: only its records'),
    deployId: searchInput.shape.deployId.describe('dep_…: while it ran'),
    ...pageArguments,
    order: searchInput.shape.order,
  },
  output,
  untrusted: [...UNTRUSTED_OF_ROW.map((field) => `rows[].${field}`), 'warnings[].message', 'empty'],
  example: { query: 'timeout', level: '>=warn', from: '-24h' },

  async run(call, input, choose) {
    const { cursor, shownAhead } = readCursor(input.cursor)
    // An analysis and a deploy have their own time.
    const isPlaced = input.analysisId !== undefined || input.deployId !== undefined
    const asked = isPlaced ? { ...input, cursor } : withDefaultFrom({ ...input, cursor })
    const answer = await call.reading.listLogs(call.caller, asked, call.signal)
    const page: Page = { input, answer, rows: unseen(answer.rows, shownAhead), pending: pending(answer, shownAhead) }
    const whole = choose(DETAILS, (detail) => replyOf(page, detail))
    return whole.fits ? whole.reply : cutRows(call, asked, page, shownAhead, choose)
  },

  text({ window, rows, empty, warnings: notes, nextCursor }) {
    const logs = rows.filter((row) => row.kind === 'log').length
    return {
      facts: [
        windowFact(window),
        `${counted(logs, 'record')}, ${counted(rows.length - logs, 'deploy')}${nextCursor === null ? '' : '; more with nextCursor'}`,
        ...emptyFact(empty, 'No record matches.'),
        ...(nextCursor === null ? [] : [`nextCursor: ${nextCursor}`]),
      ],
      evidence: [...remarks(empty, notes), ...rows.map(rowLine)],
    }
  },
})

/** `pending` are ids of deploys that were shown ahead and that this page has not reached yet. */
type Page = { input: SearchInput; answer: SearchAnswer; rows: Row[]; pending: string[] }

/** Rows that do not fit are left to the next page, whose cursor continues where this one ends. */
async function cutRows(
  { reading, caller }: ToolCall,
  asked: SearchInput,
  whole: Page,
  shownAhead: string[],
  choose: Fit<Answer>,
): Promise<Reply<Answer>> {
  const cutTo = (rows: number, answer: SearchAnswer): Page => {
    const inside = { ...answer, rows: answer.rows.slice(0, rows) }
    return { ...whole, answer: inside, rows: unseen(inside.rows, shownAhead), pending: pending(inside, shownAhead) }
  }
  const measured = { ...whole.answer, nextCursor: ROOM_FOR_CURSOR }
  const { count, ahead } = roomFor(whole.answer.rows.length - 1, (rows, deploys) => {
    return choose([deploys], (most) => cutReply(cutTo(rows, measured), whole, most)).fits
  })
  const answer = await reading.shortenLogs(caller, asked, whole.answer, count)
  return cutReply(cutTo(count, answer), whole, ahead)
}

function roomFor(most: number, fits: (rows: number, ahead: number) => boolean): { count: number; ahead: number } {
  for (const ahead of SHOWN_AHEAD) {
    const count = largestThatFits(most, (rows) => fits(rows, ahead))
    if (count > ahead) return { count, ahead }
  }
  return { count: 1, ahead: 0 }
}

/** A page, followed by the nearest deploys of the longer page it was cut from. */
function cutReply(page: Page, longer: Page, most: number): Reply<Answer> {
  const inside = new Set(page.rows.map((row) => row.id))
  const left = longer.rows.filter((row) => !inside.has(row.id))
  const ahead = left.filter((row) => row.kind === 'deploy').slice(0, most)
  const waiting = [...page.pending, ...ahead.map((row) => row.id)]
  const reply = replyOf({ ...page, rows: [...page.rows, ...ahead], pending: waiting }, BAREST)
  const sentences = [
    comeLater(left.length - ahead.length),
    ...(ahead.length > 0 ? [`The last rows are the nearest deploys below the cut: ${ahead.length}.`] : []),
  ]
  return { ...reply, cut: [...(reply.cut ?? []), ...sentences] }
}

function replyOf({ input, answer, rows, pending: ids }: Page, detail: Detail | null): Reply<Answer> {
  const { window, warnings: notes, empty } = answer
  const nextCursor = writeCursor(answer.nextCursor, ids)
  return {
    answer: {
      window,
      rows: rows.map((row) => listRow(row, detail)),
      nextCursor,
      warnings: notes.map(({ message }) => ({ message })),
      empty,
    },
    cut: detailNote(detail),
    next: nextCalls(input, rows, nextCursor),
    page: pageOfLogs(input, window),
  }
}

function nextCalls(input: SearchInput, rows: Row[], nextCursor: string | null): NextCall[] {
  const calls: NextCall[] = []
  const error = rows.find((row) => row.kind === 'log' && isErrorLevel(row.level)) ?? rows[0]
  if (rows.length === 0) {
    const args = { ...given(input, 'cursor', 'to'), from: '-7d' }
    calls.push(SEE_FIELDS, { tool: 'list_logs', arguments: args, why: 'look further back' })
  }
  if (error?.kind === 'log') {
    calls.push({
      tool: 'get_log_context',
      arguments: { id: error.id },
      why: 'the whole record and what happened around it',
    })
    if (error.analysisId !== null && input.analysisId === undefined) {
      const why = 'errors like it, and the deploy they are correlated with'
      calls.push({ tool: 'get_analysis', arguments: { id: error.analysisId }, why })
    }
  }
  if (nextCursor !== null) {
    const grouped = { ...given(input, 'cursor', 'order', 'limit'), groupBy: ['level', 'service'] }
    calls.push({ tool: 'count_logs', arguments: grouped, why: 'what all of it is, without reading it' })
    calls.push({ tool: 'list_logs', arguments: { ...given(input), cursor: nextCursor }, why: 'the next page' })
  }
  return calls
}

function unseen(rows: Row[], shownAhead: string[]): Row[] {
  return rows.filter((row) => !shownAhead.includes(row.id))
}

function pending({ rows }: SearchAnswer, shownAhead: string[]): string[] {
  const reached = new Set(rows.map((row) => row.id))
  return shownAhead.filter((id) => !reached.has(id))
}
