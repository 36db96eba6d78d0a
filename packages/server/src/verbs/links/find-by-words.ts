/**
 * What a person may mean who types into the palette. Asked while they type, so it asks the control store alone: no record
 * is read, nothing is explained, and each list is short.
 */
import { LEAST_FOUND_CHARACTERS } from '@tidemark/wire/limits'
import type { FindAnswer, FindInput } from '@tidemark/wire/reading/find'
import { cutWithin } from '@tidemark/wire/text/cut-text'
import { foldedText, wordsOf } from '../../analysis/group/search-text.ts'
import { stateOf } from '../../model/analysis.ts'
import type { Caller } from '../../model/caller.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { requireReader } from '../access.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { idsIn } from './parse-pasted.ts'

const MAX_EACH = 6
const MAX_WORDS = 8
const MAX_TITLE_CHARACTERS = 200
/** Older deploys are found by their revision, their external id or their CI run alone. */
const RECENT_DEPLOYS = 200

export async function findByWords(
  { control, now }: ReadingParts,
  caller: Caller,
  { text }: FindInput,
): Promise<FindAnswer> {
  const project = requireReader(caller)
  const asked = text.trim()
  if (asked.length < LEAST_FOUND_CHARACTERS) return { analyses: [], deploys: [] }
  const nowUs = now() * 1_000
  const [id] = idsIn(asked)
  const words = wordsOf(asked).slice(0, MAX_WORDS)
  const [named, found, deploys] = await Promise.all([
    id?.startsWith('ana_') ? control.analyses.get(project.id, id) : null,
    control.analyses.list(project.id, { words, sort: 'lastSeen', limit: MAX_EACH }, nowUs),
    findDeploys(control, project.id, { asked, words }),
  ])
  const analyses = named === null ? found : [named, ...found.filter(({ id }) => id !== named.id)]
  return {
    analyses: analyses.slice(0, MAX_EACH).map((analysis) => ({
      id: analysis.id,
      title: cutWithin(analysis.title, MAX_TITLE_CHARACTERS),
      state: stateOf(analysis, nowUs),
      environment: analysis.environment,
      lastSeen: formatRfc3339(analysis.lastSeenUs),
    })),
    deploys: deploys.map(({ id, sha, status, environment, message, deployedAtUs }) => ({
      ...{ id, sha, status, environment },
      message: message && cutWithin(message.split('\n')[0] ?? '', MAX_TITLE_CHARACTERS),
      deployedAt: formatRfc3339(deployedAtUs),
    })),
  }
}

async function findDeploys(
  { deploys }: Pick<ReadingParts['control'], 'deploys'>,
  projectId: ProjectId,
  { asked, words }: { asked: string; words: readonly string[] },
): Promise<Deploy[]> {
  const [named, recent] = await Promise.all([
    deploys.named(projectId, asked, MAX_EACH),
    deploys.list(projectId, { limit: RECENT_DEPLOYS }),
  ])
  const known = new Set(named.map(({ id }) => id))
  const folded = words.map(foldedText)
  const matching = recent.filter((deploy) => {
    const text = foldedText(faceOf(deploy))
    return !known.has(deploy.id) && folded.every((word) => text.includes(word))
  })
  return [...named, ...matching].slice(0, MAX_EACH)
}

/** What a row of the list of deploys shows of one. */
function faceOf({ id, sha, ref, environment, author, message }: Deploy): string {
  return [id, sha, ref, environment, author, message?.slice(0, MAX_TITLE_CHARACTERS)].join('\n')
}
