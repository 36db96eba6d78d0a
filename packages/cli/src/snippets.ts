/** Lines to copy after a project was made. They work as they stand, with the real keys filled in. */
export function firstSteps(
  http: { ingestUrl: string; mcpUrl: string },
  keys: { ingestKey: string; readKey: string },
): string {
  return [
    'Send a record:',
    `  curl -sS ${http.ingestUrl}/v1/logs -H 'Authorization: Bearer ${keys.ingestKey}' -H 'Content-Type: application/json' -d '{"message":"hello","level":"info","environment":"production","service":"shell"}'`,
    '',
    'Record a deploy (the last step of a CI job):',
    `  curl -sS --fail ${http.ingestUrl}/v1/deploys -H 'Content-Type: application/json' -d '{"projectApiKey":"${keys.ingestKey}","sha":"'"$(git rev-parse HEAD)"'","environment":"production","deployedAt":"'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'"}'`,
    '',
    'Send OpenTelemetry logs:',
    `  export OTEL_EXPORTER_OTLP_ENDPOINT=${http.ingestUrl} OTEL_EXPORTER_OTLP_HEADERS=Authorization=Bearer%20${keys.ingestKey}`,
    '',
    'Connect an agent (Claude Code):',
    `  claude mcp add --transport http tidemark ${http.mcpUrl}/mcp --header "Authorization: Bearer ${keys.readKey}"`,
  ].join('\n')
}
