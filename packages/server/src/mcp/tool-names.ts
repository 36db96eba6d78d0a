/** Every tool by name, in the order an agent would use them, for code that names tools without calling them. */
export const TOOL_NAMES = [
  'list_projects',
  'get_overview',
  'list_analyses',
  'get_analysis',
  'what_changed',
  'count_logs',
  'list_log_patterns',
  'list_logs',
  'get_log_context',
  'list_fields',
  'list_deploys',
  'get_deploy',
  'compare_windows',
  'resolve_link',
] as const

export type ToolName = (typeof TOOL_NAMES)[number]
