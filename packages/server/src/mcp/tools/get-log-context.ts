import { logsPage } from '@tidemark/wire/dashboard/address'
import { recordSearch } from '@tidemark/wire/dashboard/records-page'
import { isGroupHash } from '@tidemark/wire/id-form'
import { DEFAULT_NEIGHBOURS, MAX_NEIGHBOURS } from '@tidemark/wire/limits'
import { type ContextAnswer, type ContextInput, contextInput } from '@tidemark/wire/reading/context'
import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import { counted } from '@tidemark/wire/text/counted'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { z } from 'zod'
import { recordLines, rowLine } from '../text/render.ts'
import {
  listDeployRow,
  listedRow,
  listLogRow,
  showRecord,
  UNTRUSTED_OF_RECORD,
  UNTRUSTED_OF_ROW,
  wholeRecord,
} from '../text/rows.ts'
import { leftOut } from '../text/sentences.ts'
import { DETAILS, type Detail, detailNote } from '../text/shorten.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

/** Neighbours on each side that are kept when shortening is not enough. */
const FEWER = [50, 20, 10, 5, 2, 0]
const BAREST = DETAILS.at(-1) ?? null

const output = {
  record: wholeRecord,
  before: z.array(listedRow),
  after: z.array(listedRow),
  deploy: listedRow.extend({ elapsedSeconds: z.number() }).nullable(),
}
type Answer = z.infer<z.ZodObject<typeof output>>

const { id, before, after, by } = contextInput.shape

export const getLogContextTool = defineTool({
  name: 'get_log_context',
  title: 'Get a log record in context',
  description:
    'One record in full (stack, all attributes), the records just before and after it, and the deploy that was running.',
  input: {
    id: id.describe('log_…, from list_logs'),
    before: before.meta({ default: DEFAULT_NEIGHBOURS }),
    after: after.meta({ default: DEFAULT_NEIGHBOURS }),
    by: by.describe('which neighbours: all, same trace, same host'),
  },
  output,
  untrusted: [
    ...UNTRUSTED_OF_RECORD.map((field) => `record.${field}`),
    ...['before[]', 'after[]'].flatMap((list) => UNTRUSTED_OF_ROW.slice(0, 6).map((field) => `${list}.${field}`)),
    ...['environment', 'sha', 'ref', 'author', 'message', 'url'].map((field) => `deploy.${field}`),
  ],
  example: { id: 'log_0194b8a2-7c00-7000-8000-000000000001', before: 10, after: 10 },

  async run({ reading, caller, signal }, input, choose) {
    const context = await reading.getLogContext(caller, input, signal)
    return choose(STEPS, (step) => replyOf(input, context, step)).reply
  },

  text({ record, before, after, deploy }) {
    return {
      facts: [
        `Record ${record.id} at ${record.timestamp}, with ${counted(before.length, 'record')} before and ${after.length} after it`,
        deploy === null
          ? 'No succeeded deploy of its environment is known at that time.'
          : `It came ${formatElapsed(deploy.elapsedSeconds)} after deploy ${deploy.id}, which was running then.`,
        ...(record.truncated ? ['The message was longer than a message may be; its end was not kept at ingest.'] : []),
      ],
      evidence: [
        '--- before it',
        ...before.map(rowLine),
        '--- the record',
        ...recordLines(record),
        '--- after it',
        ...after.map(rowLine),
        ...(deploy ? ['--- the deploy', rowLine(deploy)] : []),
      ],
    }
  },
})

/** First the neighbours are shortened, then the record too, then the neighbours furthest away are dropped. */
type Step = { ofRecord: Detail | null; ofOthers: Detail | null; count: number }

const STEPS: readonly Step[] = [
  ...DETAILS.map((ofOthers) => ({ ofRecord: null, ofOthers, count: MAX_NEIGHBOURS })),
  ...DETAILS.slice(1).map((ofRecord) => ({ ofRecord, ofOthers: BAREST, count: MAX_NEIGHBOURS })),
  ...FEWER.map((count) => ({ ofRecord: BAREST, ofOthers: BAREST, count })),
]

function replyOf(
  input: ContextInput,
  { record, before, after, deploy }: ContextAnswer,
  { ofRecord, ofOthers, count }: Step,
): Reply<Answer> {
  const kept = { before: count === 0 ? [] : before.slice(-count), after: after.slice(0, count) }
  const left = before.length + after.length - kept.before.length - kept.after.length
  return {
    answer: {
      record: showRecord(record, ofRecord),
      before: kept.before.map((row) => listLogRow(row, ofOthers)),
      after: kept.after.map((row) => listLogRow(row, ofOthers)),
      deploy: deploy && { ...listDeployRow(deploy, ofOthers), elapsedSeconds: deploy.elapsedSeconds },
    },
    cut: [
      ...detailNote(ofRecord),
      ...(ofRecord === ofOthers ? [] : detailNote(ofOthers).map((note) => `Of the neighbours: ${note}`)),
      ...leftOut(left, { one: 'neighbour further away', many: 'neighbours further away' }),
    ],
    next: nextCalls(input, record, deploy),
    page: logsPage(recordSearch(record)),
  }
}

function nextCalls(input: ContextInput, record: LogRow, deploy: DeployRow | null): NextCall[] {
  const calls: NextCall[] = []
  if (record.analysisId !== null) {
    const why = 'errors like it, and the deploy they are correlated with'
    calls.push({ tool: 'get_analysis', arguments: { id: record.analysisId }, why })
  }
  // An id as tracers make them; any other text of a sender stays out of calls we propose.
  if (/^[0-9a-f-]{16,64}$/i.test(record.traceId) && input.by !== 'trace') {
    const args = { id: record.id, by: 'trace' }
    calls.push({ tool: 'get_log_context', arguments: args, why: 'the same trace only' })
  }
  if (isGroupHash(record.fingerprint ?? record.pattern)) {
    const alike = record.fingerprint === null ? `pattern:${record.pattern}` : `fingerprint:${record.fingerprint}`
    const args = { query: alike, from: '-7d', bucket: '1h' }
    calls.push({ tool: 'count_logs', arguments: args, why: 'when records like this one began' })
  }
  if (deploy) {
    const args = { from: `deploy:${deploy.id}-1h`, to: `deploy:${deploy.id}+1h`, level: '>=warn' }
    calls.push({ tool: 'list_logs', arguments: args, why: 'around the deploy that was running' })
  }
  return calls
}
