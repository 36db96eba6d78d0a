/** Lines that work as they are, with the project's address and keys filled in. */

import { A_RECORD, ON_LINES, otelCommands, recordDeployCommand, sendCommand } from '@tidemark/wire/shell-commands'
import { reachWarning } from './reach.ts'

export type Snippet = {
  id: string
  label: string
  about: string
  text: string
  more?: { about: string; text: string }
  /** What keeps it from working as it is. */
  warning?: string | undefined
}
export type SnippetInput = { ingestUrl: string; mcpUrl: string; ingestKey: string; readKey: string }

const SDK = '@tidemark/sdk'

export function recordSnippets({ ingestUrl, ingestKey }: Pick<SnippetInput, 'ingestUrl' | 'ingestKey'>): Snippet[] {
  return [
    {
      id: 'record',
      label: 'Record',
      about: 'Sends one record. Any language that can make a request can do the same.',
      text: sendCommand(ingestUrl, A_RECORD, ingestKey).join(ON_LINES),
    },
    {
      id: 'deploy',
      label: 'Deploy',
      about: 'Run this after a successful deploy.',
      text: recordDeployCommand(ingestUrl, ingestKey).join(ON_LINES),
    },
    {
      id: 'sdk',
      label: 'Node.js SDK',
      about: 'The service itself serves the package.',
      text: `npm install ${ingestUrl}/sdk.tgz`,
      more: {
        about: 'At the start of the program:',
        text: `import { createTidemark } from '${SDK}'

const tidemark = createTidemark({
  url: '${ingestUrl}',
  ingestKey: '${ingestKey}',
  service: 'web',
  environment: 'production',
  captureErrors: true,
})
tidemark.info('hello', { from: 'node' })`,
      },
    },
    {
      id: 'opentelemetry',
      label: 'OpenTelemetry',
      about: 'Every OpenTelemetry SDK reads these from its environment.',
      text: otelCommands(ingestUrl, ingestKey).join('\n'),
      more: {
        about: 'The Collector does not. It reads its own file; add this exporter there and name it in a logs pipeline:',
        text: collectorExporter(ingestUrl, ingestKey),
      },
    },
    {
      id: 'github',
      label: 'GitHub Action',
      about: 'The last step of the job that deploys. Keep the key as the secret TIDEMARK_INGEST_KEY of the repository:',
      text: ingestKey,
      more: { about: 'The step, for a runner that has Node, as those of GitHub do:', text: githubStep(ingestUrl) },
      warning: reachWarning(ingestUrl),
    },
  ]
}

function collectorExporter(ingestUrl: string, ingestKey: string): string {
  return `exporters:
  otlphttp/tidemark:
    logs_endpoint: ${ingestUrl}/v1/logs
    headers:
      Authorization: Bearer ${ingestKey}`
}

/** The command line, because it knows what GitHub says of a run. The environment stands in one place, for who deploys to another. */
function githubStep(ingestUrl: string): string {
  return `- name: Record the deploy
  if: always()
  env:
    TIDEMARK_URL: ${ingestUrl}
    TIDEMARK_INGEST_KEY: \${{ secrets.TIDEMARK_INGEST_KEY }}
    TIDEMARK_ENV: production
  run: npx --yes --package "$TIDEMARK_URL/cli.tgz" tidemark deploy --status "\${{ job.status }}"`
}
