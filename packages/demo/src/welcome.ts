/** What a person reads when the demo starts and when the shop is there. */
import { ownerLinkLines, runningLine, STOP_LINE } from '@tidemark/server/welcome'
import { logsPage, projectPath } from '@tidemark/wire/dashboard/address'
import { claudeCommand } from '@tidemark/wire/shell-commands'
import { DAY_MS } from '@tidemark/wire/time/units'
import type { DemoState } from './demo-folder.ts'

export function runningText({ publicUrl, ownerLink }: { publicUrl: string; ownerLink: string | undefined }): string {
  return ['', runningLine(publicUrl), '', ...ownerLinkLines(ownerLink), STOP_LINE, ''].join('\n')
}

export function shopText(
  { project, readKey }: Pick<DemoState, 'project' | 'readKey'>,
  given: { publicUrl: string; mcpUrl: string; answersPath: string; isLiveDeployAhead: boolean },
): string {
  const { publicUrl, mcpUrl, answersPath, isLiveDeployAhead } = given
  return [
    '',
    'The shop is open.',
    '',
    'Look at the last six hours:',
    `  ${publicUrl}${projectPath(project?.id ?? '', logsPage({ from: '-6h' }))}`,
    '',
    'Connect an agent (Claude Code):',
    `  ${claudeCommand(mcpUrl, readKey, 'tidemark-demo')}`,
    '',
    'Three things to try:',
    '  1. In the histogram, find the violet line after which the errors of checkout begin. What did that deploy change?',
    '  2. Ask the agent: "Guests cannot check out. What changed before that began, and in which file and line?"',
    isLiveDeployAhead
      ? '  3. Stay for two minutes with live tail on: a deploy goes out, and something breaks.'
      : '  3. Turn live tail on: the deploy of the first run still breaks something. Which one was it?',
    '',
    `What really happened in each incident stands in ${answersPath}. The service has not seen it; look there last.`,
    '',
  ].join('\n')
}

/** Undefined while the history is fresh. */
export function oldHistoryText({ nowMs }: Pick<DemoState, 'nowMs'>, atMs: number): string | undefined {
  const days = Math.floor((atMs - nowMs) / DAY_MS)
  if (days < 1) return undefined
  return `The history of this shop ends ${days === 1 ? 'a day' : `${days} days`} ago. For one that ends now, start afresh: tidemark demo --fresh`
}
