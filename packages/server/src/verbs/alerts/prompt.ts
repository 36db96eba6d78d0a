/** What an agent with the MCP endpoint can be told, so that it begins where the message ends. No ingested text is in it. */
import {
  ANSWER_ON_DEPLOY,
  ANSWER_WITH_CAUSE,
  CHECK_THE_CLAIM,
  EVIDENCE_ALONE,
  lookFurther,
} from '@tidemark/wire/analyses/agent-steps'

type Asked =
  | { tool: 'get_analysis' | 'get_deploy'; id: string }
  | { tool: 'get_overview' }
  | { tool: 'list_logs'; query: string; environment: string | undefined; from: string; to: string }

export function promptFor({ tool, ...args }: Asked, mcpUrl: string): string {
  const ask = `With Tidemark's MCP server (${mcpUrl}/mcp) call ${tool} ${JSON.stringify(args)}.`
  return [ask, ...NEXT[tool], EVIDENCE_ALONE].join(' ')
}

const NEXT: Record<Asked['tool'], string[]> = {
  get_analysis: [
    'Read likelyCause with the evidence for and against it.',
    lookFurther(),
    CHECK_THE_CLAIM,
    ANSWER_WITH_CAUSE,
  ],
  get_deploy: ['Open each analysis it introduced with get_analysis.', ANSWER_ON_DEPLOY],
  get_overview: [
    'Look at silentServices, and call what_changed for the moment at which the service was last seen.',
    'Answer with what stopped, since when, and what changed just before.',
  ],
  list_logs: [
    'Then call what_changed for the beginning of that window.',
    'Answer with what these records have in common, since when they come, and what changed just before.',
  ],
}
