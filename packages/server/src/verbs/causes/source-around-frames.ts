/** The lines around the frames of a stack in the release that it is of, with what the suspect commits changed in them. */
import type { SuspectView } from '@tidemark/wire/analyses/cause'
import type { SourceExcerpt } from '@tidemark/wire/analyses/source'
import { type ChangeOfFile, markChanges } from '../../analysis/suspect/source-lines.ts'
import type { Place } from '../../analysis/suspect/suspects.ts'
import type { Analysis } from '../../model/analysis.ts'
import { MAX_HUNKS } from '../../repository/mirror/read-changed-files.ts'
import { sourceLine } from '../../repository/mirror/source-file.ts'
import type { RepositoryMirror } from '../../repository/repository-mirror.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import type { ExplainedAnalysis } from './explain-analyses.ts'
import { type Blamed, revisionOfStack } from './revision-of-stack.ts'
import { stackInRepository } from './stack-suspects.ts'
import { unlessAway } from './unless-away.ts'

/** Frames that are shown with their lines, the most telling ones. */
const MAX_EXCERPTS = 3
const LINES_AROUND = 4

type Explained = Pick<ExplainedAnalysis, 'likelyCause' | 'suspects' | 'view'>

/** Empty when no repository is connected or it cannot be read now, and when it has none of the stack's files. */
export async function sourceAroundFrames(
  { control, repository }: Pick<ReadingParts, 'control' | 'repository'>,
  analysis: Analysis,
  explained: Explained,
): Promise<SourceExcerpt[]> {
  const found = await unlessAway(repository.mirrorOf(analysis.projectId), undefined)
  if (found?.state !== 'ready') return []
  const { mirror } = found
  const read = async () => {
    const sha = await revisionOfStack(control.deploys, mirror, analysis, blamedOf(explained))
    return sha === null ? [] : readExcerpts(mirror, sha, analysis, explained.suspects)
  }
  return (await unlessAway(read(), undefined)) ?? []
}

/** The deploy that caused it, where one did; else the one that ran. */
function blamedOf({ likelyCause: { kind, sha, at }, view }: Explained): Blamed | null {
  const isChange = kind === 'deploy' || kind === 'commit'
  if (isChange && sha !== null && at !== null) return { sha, atUs: Date.parse(at) * 1_000 }
  const deploy = view.correlatedDeploy
  const since = deploy?.deployedAt ?? deploy?.committedAt
  return deploy && since ? { sha: deploy.sha, atUs: Date.parse(since) * 1_000 } : null
}

async function readExcerpts(
  mirror: RepositoryMirror,
  sha: string,
  analysis: Analysis,
  suspects: readonly SuspectView[],
): Promise<SourceExcerpt[]> {
  const { places } = await stackInRepository(mirror, sha, analysis)
  const excerpts: SourceExcerpt[] = []
  for (const place of places.filter(({ line }) => line !== null).slice(0, MAX_EXCERPTS)) {
    const excerpt = await excerptOf(mirror, sha, place, suspects)
    if (excerpt !== null) excerpts.push(excerpt)
  }
  return excerpts
}

async function excerptOf(
  mirror: RepositoryMirror,
  sha: string,
  { path, line, function: name }: Place,
  suspects: readonly SuspectView[],
): Promise<SourceExcerpt | null> {
  const from = Math.max(1, line! - LINES_AROUND)
  const texts = await mirror.linesAt(sha, path, from, line! + LINES_AROUND - from + 1)
  // A line that the file has not: the stack is of something else.
  if (from + texts.length <= line!) return null
  const changes = await Promise.all(
    suspects
      .filter(({ file }) => file === path)
      .map(async ({ sha: suspect }): Promise<ChangeOfFile> => {
        const [patch, since] = await Promise.all([mirror.patch(suspect, path), mirror.hunksBetween(suspect, sha, path)])
        return { sha: suspect, patch, since }
      }),
  )
  // Of a longer list only the beginning is there, and lines after it would be taken for others.
  const followed = changes.filter(({ since }) => since.length < MAX_HUNKS)
  const lines = markChanges(texts, from, followed).map((one) => ({ ...one, text: sourceLine(one.text) }))
  return { sha, file: path, line: line!, function: name, lines }
}
