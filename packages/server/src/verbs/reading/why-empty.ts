/** Why there is nothing, and where there is something: the first of these that is true. */

import { isAlike } from '@tidemark/wire/environment-alike'
import type { Query } from '@tidemark/wire/query/ast'
import type { EnvironmentPart } from '@tidemark/wire/query/environment-of'
import { nearestNames } from '@tidemark/wire/query/nearest-names'
import type { NearestTerms } from '@tidemark/wire/reading/question'
import { counted } from '@tidemark/wire/text/counted'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { nearestMatches } from './nearest-matches.ts'

const MAX_NAMED = 5

type Emptiness = {
  range: TimeRange
  query: Query
  environments: EnvironmentPart
  publicUrl: string
  signal?: AbortSignal | undefined
}

type Asked = Pick<ProjectLogs, 'lastTimeUs' | 'total' | 'places' | 'groups' | 'patterns' | 'patternSamples'>

export async function whyEmpty(logs: Asked, emptiness: Emptiness): Promise<string> {
  return (await explainEmptiness(logs, emptiness)).empty
}

type Explained = { empty: string; nearest?: NearestTerms[] }

/** With what could stand in place of the terms that nothing matches, where there is any. */
export async function explainEmptiness(
  logs: Asked,
  { range, query, environments, publicUrl, signal }: Emptiness,
): Promise<Explained> {
  const lastUs = await logs.lastTimeUs(signal)
  if (lastUs === null) return { empty: `The project has no records yet. Send some to ${publicUrl}/v1/logs.` }
  const inWindow = await logs.total({ range, filter: { root: null }, signal })
  if (inWindow === 0) {
    const last = formatRfc3339(lastUs)
    return { empty: `There are no records in this window. The last record is from ${last}: move the window there.` }
  }
  const wrong = await wrongEnvironment(logs, environments, signal)
  if (wrong !== null) return { empty: wrong }
  if (query.root === null) return { empty: 'There are no records in this window.' }
  const { sentences, nearest } = await nearestMatches(logs, query, { range, signal })
  const rest = sentences.length > 0 ? sentences : ['Remove a term, or look further back.']
  const there = `${counted(inWindow, 'record is', 'records are')} in this window, but none matches the query.`
  return { empty: `${there} ${rest.join(' ')}`, ...(nearest.length > 0 && { nearest }) }
}

/** Only when there never was a record in an environment that was asked for. */
async function wrongEnvironment(
  logs: Asked,
  { include }: EnvironmentPart,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (include === null || include.length === 0) return null
  const known = [...new Set((await logs.places(signal)).map(({ environment }) => environment))]
  if (include.some((name) => known.includes(name))) return null
  return wrongEnvironmentText('are no records', include, known)
}

/** What there is none of, where it was looked for, and where there is some. */
/** The one that a person may have meant. */
export function nearestEnvironment(name: string, known: readonly string[]): string | undefined {
  return known.find((one) => isAlike(one, name)) ?? nearestNames(name, known, 1)[0]
}

export function wrongEnvironmentText(nothing: string, asked: readonly string[], known: readonly string[]): string {
  const names = asked.map((name) => JSON.stringify(name)).join(' or ')
  const [first = ''] = asked
  const nearest = nearestEnvironment(first, known)
  if (nearest !== undefined) {
    return `There ${nothing} in environment ${names}. Did you mean ${JSON.stringify(nearest)}? Names match exactly.`
  }
  const named = known.slice(0, MAX_NAMED).map((name) => JSON.stringify(name))
  return `There ${nothing} in environment ${names}. There are some in ${named.join(', ')}${known.length > MAX_NAMED ? ' and others' : ''}.`
}
