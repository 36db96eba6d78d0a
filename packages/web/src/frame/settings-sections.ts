/** The sections of the settings, and who sees each; the service refuses everybody else. */
import { KEY_MAKER_ROLE, type ProjectRole } from '@tidemark/wire/people/role'

export const SECTIONS = [
  { id: 'keys', label: 'API & MCP keys', least: KEY_MAKER_ROLE },
  { id: 'ingest', label: 'Ingest health', least: KEY_MAKER_ROLE },
  { id: 'calls', label: 'MCP calls', least: KEY_MAKER_ROLE },
  { id: 'project', label: 'Project', least: 'viewer' },
  { id: 'redaction', label: 'Redaction', least: 'member' },
  { id: 'repository', label: 'Repository', least: 'viewer' },
  { id: 'sourcemaps', label: 'Source maps', least: 'viewer' },
  { id: 'alerts', label: 'Alerts', least: 'member' },
  { id: 'grouping', label: 'Grouping rules', least: 'owner' },
  { id: 'members', label: 'Members', least: 'viewer' },
  { id: 'audit', label: 'Audit', least: 'owner' },
] as const satisfies readonly { id: string; label: string; least: ProjectRole }[]
