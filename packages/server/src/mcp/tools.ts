/** Every tool, in the order of `TOOL_NAMES`, which is also that of `tools/list`. */
import type { Tool } from './tool.ts'
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

export const TOOLS: readonly Tool[] = [
  listProjectsTool,
  getOverviewTool,
  listAnalysesTool,
  getAnalysisTool,
  whatChangedTool,
  countLogsTool,
  listLogPatternsTool,
  listLogsTool,
  getLogContextTool,
  listFieldsTool,
  listDeploysTool,
  getDeployTool,
  compareWindowsTool,
  resolveLinkTool,
]
