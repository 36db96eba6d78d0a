/** Ids of what is recent and names that are in use, by how they begin. Cheap: it is asked with every key somebody presses. */
import { AT_LEAST_ERROR } from '@tidemark/wire/level'
import type { SuggestedKind, SuggestionsAnswer, SuggestionsInput } from '@tidemark/wire/reading/suggestions'
import { LATEST_DEPLOY } from '@tidemark/wire/time/parse-time'
import { DAY_US } from '@tidemark/wire/time/units'
import type { Caller } from '../../model/caller.ts'
import type { ProjectId } from '../../model/project.ts'
import { requireReader } from '../access.ts'
import { distinct } from '../reading/describe-project.ts'
import { logFilter } from '../reading/log-filter.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'

/** Older ones are looked for with a list, not by their ids. */
const RECENT = 200
const RECENT_ERRORS = 50

export async function suggestNames(
  parts: ReadingParts,
  caller: Caller,
  { kind, prefix, limit }: SuggestionsInput,
  signal?: AbortSignal,
): Promise<SuggestionsAnswer> {
  const { id } = requireReader(caller)
  const begun = prefix.toLowerCase()
  const found = (await SOURCES[kind](parts, id, signal)).filter((one) => one.toLowerCase().startsWith(begun))
  return { values: found.slice(0, limit), more: found.length > limit }
}

type Source = (parts: ReadingParts, projectId: ProjectId, signal?: AbortSignal) => Promise<string[]>

const SOURCES: Record<SuggestedKind, Source> = {
  async log({ logStore, now }, projectId, signal) {
    const toUs = now() * 1_000
    const { query: filter } = logFilter({ level: AT_LEAST_ERROR })
    const range = { fromUs: toUs - DAY_US, toUs }
    const search = { range, filter, order: 'newest', limit: RECENT_ERRORS, signal } as const
    return (await logStore.project(projectId).search(search)).records.map(({ id }) => id)
  },
  async analysis({ control, now }, projectId) {
    const analyses = await control.analyses.list(projectId, { sort: 'lastSeen', limit: RECENT }, now() * 1_000)
    return analyses.map(({ id }) => id)
  },
  async deploy({ control }, projectId) {
    const deploys = await control.deploys.list(projectId, { limit: RECENT })
    return [LATEST_DEPLOY, ...deploys.map(({ id }) => id)]
  },
  async environment({ control, logStore }, projectId, signal) {
    const [places, deployed] = await Promise.all([
      logStore.project(projectId).places(signal),
      control.deploys.countByEnvironment(projectId),
    ])
    return distinct([...places, ...deployed].map(({ environment }) => environment))
  },
  async service({ logStore }, projectId, signal) {
    return distinct((await logStore.project(projectId).places(signal)).map(({ service }) => service))
  },
}
