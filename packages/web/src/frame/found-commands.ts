/** What the words in the palette name beside commands: analyses, deploys, a trace, a record, and a search in the logs. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { textSearch, traceSearch } from '@tidemark/wire/dashboard/records-page'
import { recordIdIn } from '@tidemark/wire/id-form'
import { LEAST_FOUND_CHARACTERS, MAX_ANALYSES_QUERY_CHARACTERS } from '@tidemark/wire/limits'
import { cutToUnits } from '@tidemark/wire/text/cut-text'
import { isSurelyTrace, traceIdIn } from '@tidemark/wire/trace-id'
import { useEffect, useState } from 'react'
import { findQuery } from '../api/find.ts'
import { STATE_LOOK } from '../marks/analysis-state.tsx'
import { STATUS_LOOK } from '../marks/deploy-status.tsx'
import { plainLine } from '../text/plain-text.ts'
import { shortSha } from '../text/short-sha.ts'
import { formatShort } from '../time/format-time.ts'
import { usePreferences } from '../ui/preferences.ts'
import type { Command } from './commands.ts'

/** Long enough not to send a request with every letter. */
const TYPING_MS = 150
/** How far back the records of a trace are looked for. */
const TRACE_FROM = '-7d'

type Found = {
  found: Command[]
  isBusy: boolean
  /** Another line may still come first: what the words name is being looked for, and no failure ended that. */
  mayChange: boolean
}

export function useFoundCommands(projectId: string, text: string): Found {
  const navigate = useNavigate()
  const { zone } = usePreferences()
  const wanted = cutToUnits(text.trim(), MAX_ANALYSES_QUERY_CHARACTERS)
  const asked = useSettled(wanted)
  const { data, isFetching, failureCount } = useQuery(findQuery(projectId, asked))
  const params = { projectId }
  const isLongEnough = wanted.length >= LEAST_FOUND_CHARACTERS
  const answer = isLongEnough ? data : undefined
  const traceId = traceIdIn(wanted)
  const recordId = recordIdIn(wanted)
  const isTrace = traceId !== null && isSurelyTrace(traceId)
  const trace: Command[] =
    traceId === null
      ? []
      : [
          {
            label: `Records of trace ${traceId}`,
            group: 'Trace',
            run: () =>
              navigate({
                to: '/projects/$projectId/logs',
                params,
                search: traceSearch(traceId, { from: TRACE_FROM, to: undefined }),
              }),
          },
        ]
  const found: Command[] = [
    ...(isTrace ? trace : []),
    ...(recordId !== null
      ? [
          {
            label: `Record ${recordId}`,
            group: 'Record',
            run: () => navigate({ to: '/projects/$projectId/logs', params, search: { record: recordId } }),
          },
        ]
      : []),
    ...(answer?.analyses ?? []).map(({ id, title, state, environment }) => ({
      id,
      label: plainLine(title),
      group: `${STATE_LOOK[state].word} in ${plainLine(environment)}`,
      run: () => navigate({ to: '/projects/$projectId/analyses/$analysisId', params: { projectId, analysisId: id } }),
    })),
    ...(answer?.deploys ?? []).map(({ id, sha, environment, message, status, deployedAt }) => ({
      id,
      label: plainLine([shortSha(sha), message].filter(Boolean).join(' ')),
      // Two deploys of one commit differ in nothing else.
      group: [
        `Deploy to ${plainLine(environment)}`,
        ...(status === 'succeeded' ? [] : [STATUS_LOOK[status].word.toLowerCase()]),
        formatShort(deployedAt, zone),
      ].join(' · '),
      run: () => navigate({ to: '/projects/$projectId/deploys/$deployId', params: { projectId, deployId: id } }),
    })),
    ...(isLongEnough
      ? [
          {
            label: `Search the logs for "${plainLine(wanted)}"`,
            group: 'Logs',
            run: () => navigate({ to: '/projects/$projectId/logs', params, search: textSearch(wanted) }),
          },
        ]
      : []),
    ...(isTrace ? [] : trace),
  ]
  const isBusy = isLongEnough && (isFetching || asked !== wanted)
  const hasFailed = failureCount > 0 && asked === wanted
  return { found, isBusy, mayChange: isBusy && !hasFailed && !isTrace && recordId === null }
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
