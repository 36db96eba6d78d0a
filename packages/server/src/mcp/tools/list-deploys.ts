import { countedPlainly } from '@tidemark/wire/counted'
import { type DeploysAnswer, type DeploysInput, deploysAnswer, deploysInput } from '@tidemark/wire/reading'
import { cutPage } from '../cut-page.ts'
import { deployLine } from '../text/render.ts'
import { showDeploy, UNTRUSTED_OF_DEPLOY } from '../text/rows.ts'
import { DETAILS, type Detail, detailNote } from '../text/shorten.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'
import {
  emptyFact,
  given,
  pageArguments,
  pageOf,
  remarks,
  windowArguments,
  windowFact,
  withDefaultFrom,
} from '../tool-input.ts'

export const listDeploysTool = defineTool({
  name: 'list_deploys',
  title: 'List deploys',
  description: 'Deploys of every status, newest first: what changed, where and when.',
  input: {
    ...windowArguments,
    ...pageArguments,
    status: deploysInput.shape.status,
    sha: deploysInput.shape.sha,
  },
  output: deploysAnswer.shape,
  untrusted: [...UNTRUSTED_OF_DEPLOY.map((field) => `deploys[].${field}`), 'empty'],
  example: { environment: 'production', from: '-7d' },

  async run({ reading, caller }, input, choose) {
    const asked = withDefaultFrom(input)
    return cutPage(
      {
        rows: 'deploys',
        asked,
        ask: (one) => reading.listDeploys(caller, one),
        steps: DETAILS,
        replyOf: (page, detail) => replyOf(input, page, detail),
      },
      choose,
    )
  },

  text({ window, deploys, empty, nextCursor }) {
    return {
      facts: [
        windowFact(window),
        `${countedPlainly(deploys.length, 'deploy')}${nextCursor === null ? '' : '; more with nextCursor'}`,
        ...emptyFact(empty, 'No deploy matches.'),
        ...(nextCursor === null ? [] : [`nextCursor: ${nextCursor}`]),
      ],
      evidence: [...remarks(empty, []), ...deploys.map(deployLine)],
    }
  },
})

function replyOf(input: DeploysInput, answer: DeploysAnswer, detail: Detail | null): Reply<DeploysAnswer> {
  const { window, deploys, nextCursor, empty } = answer
  return {
    answer: { window, deploys: deploys.map((one) => showDeploy(one, detail)), nextCursor, empty },
    cut: detailNote(detail),
    next: nextCalls(input, answer),
    page: pageOf('deploys', input, window),
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
    const after = { from: `deploy:${latest.id}`, level: '>=error' }
    calls.push({ tool: 'list_logs', arguments: after, why: 'errors since the newest of these deploys' })
    calls.push({ tool: 'get_deploy', arguments: { id: latest.id }, why: 'the commits it brought' })
  }
  if (nextCursor !== null) {
    calls.push({ tool: 'list_deploys', arguments: { ...given(input), cursor: nextCursor }, why: 'the next page' })
  }
  return calls
}
