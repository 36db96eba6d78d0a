/** What was found, in the one shape of all kinds. */
import type { LinkTarget } from '@tidemark/wire/reading/link'
import type { LogRow } from '@tidemark/wire/reading/row'
import { cutWithin } from '@tidemark/wire/text/cut-text'
import { type Analysis, stateOf } from '../../model/analysis.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { Commit } from '../../model/repository.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'

/** Longer ones are shortened: the link leads to all of it. */
const MAX_TITLE_CHARACTERS = 500

const NOTHING = {
  state: null,
  environment: null,
  service: null,
  sha: null,
  author: null,
  count: null,
  firstSeen: null,
  analysisId: null,
  query: null,
}

export function recordTarget({ id, message, level, environment, service, timestamp, analysisId }: LogRow): LinkTarget {
  const facts = { id, title: cut(message), state: level, environment, service, lastSeen: timestamp, analysisId }
  return { ...NOTHING, kind: 'record', ...facts }
}

export function analysisTarget(analysis: Analysis, nowUs: number): LinkTarget {
  const { id, title, environment, service, count, firstSeenUs, lastSeenUs } = analysis
  return {
    ...NOTHING,
    ...{ kind: 'analysis', id, title: cut(title), environment, service, count },
    state: stateOf(analysis, nowUs),
    firstSeen: formatRfc3339(firstSeenUs),
    lastSeen: formatRfc3339(lastSeenUs),
  }
}

export function deployTarget({ id, message, ref, status, environment, sha, author, deployedAtUs }: Deploy): LinkTarget {
  const title = cut(message ?? ref ?? '')
  const facts = { id, title, state: status, environment, sha, author, lastSeen: formatRfc3339(deployedAtUs) }
  return { ...NOTHING, kind: 'deploy', ...facts }
}

export function commitTarget({ sha, subject, authorName, committedAtUs }: Commit): LinkTarget {
  const facts = { id: sha, title: cut(subject), sha, author: authorName, lastSeen: formatRfc3339(committedAtUs) }
  return { ...NOTHING, kind: 'commit', ...facts }
}

/** Records that a search finds; `newest` is one of them. */
export function recordsTarget(
  kind: 'trace' | 'pattern' | 'text',
  id: string,
  { newest, count, firstUs, query }: { newest: LogRow; count: number; firstUs: number | null; query: string },
): LinkTarget {
  const { message, environment, service, timestamp, analysisId } = newest
  const firstSeen = firstUs === null ? null : formatRfc3339(firstUs)
  const facts = {
    id,
    title: cut(message),
    environment,
    service,
    count,
    firstSeen,
    lastSeen: timestamp,
    analysisId,
    query,
  }
  return { ...NOTHING, kind, ...facts }
}

function cut(text: string): string {
  return cutWithin(text, MAX_TITLE_CHARACTERS)
}
