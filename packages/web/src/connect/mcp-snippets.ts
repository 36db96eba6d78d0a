/** How each MCP client is configured for this service, in the form it really reads. */
import { claudeCommand } from '@tidemark/wire/shell-commands'
import type { Snippet, SnippetInput } from './snippets.ts'

const NAME = 'tidemark'
const VARIABLE = 'TIDEMARK_READ_KEY'

export function mcpSnippets({ mcpUrl, readKey }: Pick<SnippetInput, 'mcpUrl' | 'readKey'>): Snippet[] {
  const url = `${mcpUrl}/mcp`
  const headers = { Authorization: `Bearer ${readKey}` }
  return [
    ...(url.startsWith('https:') ? [connector(url)] : []),
    {
      id: 'claude-code',
      label: 'Claude Code',
      about: 'Run it in the folder of your application.',
      text: claudeCommand(mcpUrl, readKey, NAME),
    },
    {
      id: 'claude-desktop',
      label: 'Claude Desktop',
      about: 'claude_desktop_config.json. Its own connectors cannot send a key, so a bridge does (needs Node.js).',
      text: json({
        mcpServers: {
          [NAME]: {
            command: 'npx',
            args: ['-y', `${mcpUrl}/cli.tgz`, 'mcp'],
            env: { TIDEMARK_URL: mcpUrl, [VARIABLE]: readKey },
          },
        },
      }),
    },
    {
      id: 'cursor',
      label: 'Cursor',
      about: '~/.cursor/mcp.json, or .cursor/mcp.json in the project.',
      text: json({ mcpServers: { [NAME]: { url, headers } } }),
    },
    {
      id: 'vscode',
      label: 'VS Code',
      about: '.vscode/mcp.json. VS Code asks for the key and keeps it out of the file:',
      text: json({
        inputs: [{ type: 'promptString', id: 'tidemark-key', description: 'Tidemark read key', password: true }],
        servers: { [NAME]: { type: 'http', url, headers: { Authorization: 'Bearer $' + '{input:tidemark-key}' } } },
      }),
      more: { about: 'The key to paste:', text: readKey },
    },
    {
      id: 'windsurf',
      label: 'Windsurf',
      about: '~/.codeium/windsurf/mcp_config.json',
      text: json({ mcpServers: { [NAME]: { serverUrl: url, headers } } }),
    },
    {
      id: 'codex',
      label: 'Codex CLI',
      about: 'The key comes from the environment: Codex does not accept one in its file.',
      text: `export ${VARIABLE}=${readKey}\ncodex mcp add ${NAME} --url ${url} --bearer-token-env-var ${VARIABLE}`,
    },
    {
      id: 'gemini',
      label: 'Gemini CLI',
      about: 'For this user, in every folder.',
      text: `gemini mcp add -s user --transport http --header "Authorization: Bearer ${readKey}" ${NAME} ${url}`,
    },
    {
      id: 'zed',
      label: 'Zed',
      about: 'settings.json',
      text: json({ context_servers: { [NAME]: { url, headers } } }),
    },
  ]
}

/** Without https there is no OAuth, and these take nothing else. */
function connector(url: string): Snippet {
  return {
    id: 'connectors',
    label: 'claude.ai, ChatGPT',
    about: 'Add a custom connector with this address. It needs no key: you sign in here and choose the project.',
    text: url,
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
