import {
  type AnalysesAnswer,
  type AnalysesInput,
  analysesAnswer,
  analysesInput,
} from '@tidemark/wire/analyses/analysis'
import { analysesPage } from '@tidemark/wire/dashboard/address'
import type { z } from 'zod'
import { cutPage } from '../cut-page.ts'
import { given } from '../next-calls.ts'
import { pageArguments, windowArguments, withDefaultFrom } from '../shared-arguments.ts'
import {
  ITEM_DETAILS,
  type ItemDetail,
  itemLines,
  itemNote,
  showItem,
  statesFact,
  UNTRUSTED_OF_ITEM,
} from '../text/analyses.ts'
import { emptyFact, remarks, warnings, windowFact } from '../text/sentences.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

const output = { ...analysesAnswer.shape, warnings }
type Answer = z.infer<z.ZodObject<typeof output>>

export const listAnalysesTool = defineTool({
  name: 'list_analyses',
  title: 'List analyses',
  description:
    'Groups of like errors, ranked (what began in the window first), each with its likely cause and the deploy it is correlated with. Start here for "what broke?".',
  input: {
    ...windowArguments,
    query: analysesInput.shape.query.describe('words in title, type, message, place or stack'),
    service: analysesInput.shape.service,
    state: analysesInput.shape.state.describe('default: regressed, new and ongoing'),
    introducedBy: analysesInput.shape.introducedBy.describe('dep_…: began while it ran'),
    sort: analysesInput.shape.sort,
    ...pageArguments,
  },
  output,
  untrusted: [...UNTRUSTED_OF_ITEM.map((field) => `analyses[].${field}`), 'warnings[].message', 'empty'],
  example: { environment: 'production', from: '-24h' },

  async run({ reading, caller, signal }, input, choose) {
    // What a deploy brought is searched from that deploy on.
    const asked = input.introducedBy === undefined ? withDefaultFrom(input) : input
    return cutPage(
      {
        rows: 'analyses',
        asked,
        ask: (one) => reading.listAnalyses(caller, one, signal),
        steps: ITEM_DETAILS,
        replyOf: (page, detail) => replyOf(input, page, detail),
      },
      choose,
    )
  },

  text({ window, analyses, states, empty, warnings: notes, nextCursor }) {
    return {
      facts: [
        windowFact(window),
        `${statesFact(analyses.length, states)}${nextCursor === null ? '' : '; more with nextCursor'}`,
        ...emptyFact(empty, 'No analysis matches.'),
        ...(nextCursor === null ? [] : [`nextCursor: ${nextCursor}`]),
      ],
      evidence: [...remarks(empty, notes), ...analyses.flatMap(itemLines)],
    }
  },
})

function replyOf(input: AnalysesInput, answer: AnalysesAnswer, detail: ItemDetail): Reply<Answer> {
  const { window, analyses, nextCursor, states, warnings: notes, empty } = answer
  return {
    answer: {
      window,
      analyses: analyses.map((item) => showItem(item, detail)),
      nextCursor,
      states,
      warnings: notes.map(({ message }) => ({ message })),
      empty,
    },
    cut: itemNote(detail),
    next: nextCalls(input, answer),
    page: analysesPage({ ...input, ...window }),
  }
}

function nextCalls(input: AnalysesInput, { analyses, nextCursor }: AnalysesAnswer): NextCall[] {
  const [first] = analyses
  const calls: NextCall[] = []
  if (first === undefined) {
    const args = { ...given(input, 'cursor', 'to'), from: '-7d' }
    calls.push({ tool: 'list_analyses', arguments: args, why: 'look further back' })
    calls.push({ tool: 'count_logs', arguments: { from: '-24h', groupBy: ['level'] }, why: 'whether there are errors' })
  } else {
    calls.push({ tool: 'get_analysis', arguments: { id: first.id }, why: 'all evidence for the first of these' })
    const deployId = first.correlatedDeploy?.deployId
    if (deployId && input.introducedBy === undefined) {
      calls.push({
        tool: 'list_analyses',
        arguments: { introducedBy: deployId },
        why: 'what else began while its deploy ran',
      })
    }
  }
  if (nextCursor !== null) {
    calls.push({ tool: 'list_analyses', arguments: { ...given(input), cursor: nextCursor }, why: 'the next page' })
  }
  return calls
}
