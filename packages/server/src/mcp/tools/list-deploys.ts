import { deploysPage } from '@tidemark/wire/dashboard/address'
import { AT_LEAST_ERROR } from '@tidemark/wire/level'
import {
  type DeploysAnswer,
  type DeploysInput,
  deploysAnswer,
  deploysInput,
  listedDeploy,
} from '@tidemark/wire/reading/deploys'
import { counted } from '@tidemark/wire/text/counted'
import { z } from 'zod'
import { cutPage } from '../cut-page.ts'
import { given, seeDeploy } from '../next-calls.ts'
import { pageArguments, windowArguments, withDefaultFrom } from '../shared-arguments.ts'
import { showDeploy, UNTRUSTED_OF_DEPLOY } from '../text/rows.ts'
import { emptyFact, remarks, windowFact } from '../text/sentences.ts'
import { DETAILS, type Detail, detailNote } from '../text/shorten.ts'
import { judgedLines, reasonsNote, showReasons } from '../text/verdicts.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

/** The windows of each are for get_deploy. */
const output = {
  ...deploysAnswer.shape,
  deploys: z.array(listedDeploy.omit({ before: true, after: true, windows: true })),
}
type Answer = z.infer<z.ZodObject<typeof output>>

/** Of each deploy; get_deploy has all. */
const REASONS = { most: 2, characters: 300 }
const BAREST_REASONS = { most: 1, characters: 120 }
const BAREST = DETAILS.at(-1) ?? null

export const listDeploysTool = defineTool({
  name: 'list_deploys',
  title: 'List deploys',
  description: 'Deploys of every status, newest first, each with a verdict: good, suspect, bad or too_early, and why.',
  input: {
    ...windowArguments,
    ...pageArguments,
    status: deploysInput.shape.status,
    sha: deploysInput.shape.sha,
  },
  output,
  untrusted: [...UNTRUSTED_OF_DEPLOY.map((field) => `deploys[].${field}`), 'deploys[].reasons', 'empty'],
  example: { environment: 'production', from: '-7d' },

  async run({ reading, caller, signal }, input, choose) {
    const asked = withDefaultFrom(input)
    return cutPage(
      {
        rows: 'deploys',
        asked,
        ask: (one) => reading.listDeploys(caller, one, signal),
        steps: DETAILS,
        replyOf: (page, detail) => replyOf(input, page, detail),
      },
      choose,
    )
  },

  text({ window, deploys, empty, nextCursor, warnings }) {
    return {
      facts: [
        windowFact(window),
        `${counted(deploys.length, 'deploy')}${nextCursor === null ? '' : '; more with nextCursor'}`,
        ...emptyFact(empty, 'No deploy matches.'),
        ...warnings.map(({ message }) => message),
        ...(nextCursor === null ? [] : [`nextCursor: ${nextCursor}`]),
      ],
      evidence: [...remarks(empty, []), ...deploys.flatMap(judgedLines)],
    }
  },
})

function replyOf(input: DeploysInput, answer: DeploysAnswer, detail: Detail | null): Reply<Answer> {
  const { window, deploys, nextCursor, empty, warnings } = answer
  const kept = detail === BAREST ? BAREST_REASONS : REASONS
  const shown = deploys.map((one) => {
    const { verdict, reasons, before: _, after: __, windows: ___, checkAgainAt, introduced, ...rest } = one
    return {
      ...showDeploy(rest, detail),
      ...{ verdict, reasons: showReasons(reasons, kept), checkAgainAt, introduced },
    }
  })
  return {
    answer: { window, deploys: shown, nextCursor, warnings, empty },
    cut: [...detailNote(detail), ...reasonsNote(deploys, shown)],
    next: nextCalls(input, answer),
    page: deploysPage({ ...input, ...window }),
  }
}

function nextCalls(input: DeploysInput, { deploys, nextCursor }: DeploysAnswer): NextCall[] {
  const [latest] = deploys
  const calls: NextCall[] = []
  if (latest === undefined) {
    calls.push({
      tool: 'list_deploys',
      arguments: { ...given(input, 'cursor', 'to'), from: '-30d' },
      why: 'look further back',
    })
  } else {
    const after = { from: `deploy:${latest.id}`, level: AT_LEAST_ERROR }
    calls.push({ tool: 'list_logs', arguments: after, why: 'errors since the newest of these deploys' })
    calls.push(seeDeploy(latest.id))
  }
  if (nextCursor !== null) {
    calls.push({ tool: 'list_deploys', arguments: { ...given(input), cursor: nextCursor }, why: 'the next page' })
  }
  return calls
}
