import type { Tool } from './tool.ts'
import { TOOL_NAMES, type ToolName } from './tool-names.ts'
import { compareWindowsTool } from './tools/compare-windows.ts'
import { countLogsTool } from './tools/count-logs.ts'
import { getAnalysisTool } from './tools/get-analysis.ts'
import { getDeployTool } from './tools/get-deploy.ts'
import { getLogContextTool } from './tools/get-log-context.ts'
import { getOverviewTool } from './tools/get-overview.ts'
import { listAnalysesTool } from './tools/list-analyses.ts'
import { listDeploysTool } from './tools/list-deploys.ts'
import { listFieldsTool } from './tools/list-fields.ts'
import { listLogPatternsTool } from './tools/list-log-patterns.ts'
import { listLogsTool } from './tools/list-logs.ts'
import { listProjectsTool } from './tools/list-projects.ts'
import { resolveLinkTool } from './tools/resolve-link.ts'
import { whatChangedTool } from './tools/what-changed.ts'

const BY_NAME: Record<ToolName, Tool> = {
  list_projects: listProjectsTool,
  get_overview: getOverviewTool,
  list_analyses: listAnalysesTool,
  get_analysis: getAnalysisTool,
  what_changed: whatChangedTool,
  count_logs: countLogsTool,
  list_log_patterns: listLogPatternsTool,
  list_logs: listLogsTool,
  get_log_context: getLogContextTool,
  list_fields: listFieldsTool,
  list_deploys: listDeploysTool,
  get_deploy: getDeployTool,
  compare_windows: compareWindowsTool,
  resolve_link: resolveLinkTool,
}

/** Every tool, in the order of `tools/list`. */
export const TOOLS: readonly Tool[] = TOOL_NAMES.map((name) => BY_NAME[name])
