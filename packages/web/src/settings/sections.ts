export const SECTIONS = [
  { id: 'keys', label: 'API & MCP keys' },
  { id: 'project', label: 'Project' },
  { id: 'redaction', label: 'Redaction' },
  { id: 'repository', label: 'Repository' },
  { id: 'grouping', label: 'Grouping rules' },
  { id: 'members', label: 'Members' },
  { id: 'audit', label: 'Audit' },
] as const
