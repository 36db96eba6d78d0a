import { getAnalysis } from './analyses/get-analysis.ts'
import { listAnalyses } from './analyses/list-analyses.ts'
import { matchingAnalyses } from './analyses/matching-analyses.ts'
import { bindAll } from './bind-all.ts'
import { whatChanged } from './changes/what-changed.ts'
import { deployVerdict } from './deploys/deploy-verdict.ts'
import { getDeploy } from './deploys/get-deploy.ts'
import { listDeploys } from './deploys/list-deploys.ts'
import { findByWords } from './links/find-by-words.ts'
import { resolveLink } from './links/resolve-link.ts'
import { suggestNames } from './links/suggest-names.ts'
import { getOverview } from './overview/get-overview.ts'
import { compareWindows } from './reading/counts/compare-windows.ts'
import { countLogs } from './reading/counts/count-logs.ts'
import { listFields } from './reading/counts/list-fields.ts'
import { createCursors } from './reading/cursor.ts'
import { describeProject } from './reading/describe-project.ts'
import { exportLogs } from './reading/logs/export-logs.ts'
import { getLogContext } from './reading/logs/get-log-context.ts'
import { listLogs, shortenLogs } from './reading/logs/list-logs.ts'
import { tailLogs } from './reading/logs/tail-logs.ts'
import { listLogPatterns } from './reading/patterns/list-log-patterns.ts'
import { PatternTexts } from './reading/patterns/pattern-texts.ts'
import { NO_REPOSITORY, type ReadingParts } from './reading/reading-parts.ts'

/**
 * What a caller with a read key can ask. One function each, shared by every door; the project is the caller's own and
 * cannot be named. A `signal` that aborts stops the query behind it.
 */
export type Reading = ReturnType<typeof openReading>

type ReadingOptions = Omit<ReadingParts, 'cursors' | 'patternTexts' | 'repository'> & {
  /** Without it nothing is known of commits, and nothing is inferred from them. */
  repository?: ReadingParts['repository']
  /** Signs cursors: all nodes of an instance have the same. */
  secretKey: string
}

export function openReading({ secretKey, repository = NO_REPOSITORY, ...options }: ReadingOptions) {
  const parts: ReadingParts = {
    ...options,
    repository,
    cursors: createCursors(secretKey),
    patternTexts: new PatternTexts(),
  }
  return bindAll(parts, {
    listLogs,
    shortenLogs,
    countLogs,
    listLogPatterns,
    compareWindows,
    listFields,
    getLogContext,
    listDeploys,
    getDeploy,
    deployVerdict,
    listAnalyses,
    matchingAnalyses,
    getAnalysis,
    getOverview,
    whatChanged,
    resolveLink,
    findByWords,
    suggestNames,
    describeProject,
    exportLogs,
    tailLogs,
  })
}
