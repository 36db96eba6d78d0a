/** What the connected repository says about the candidates of an analysis: what each brought, and which commits are suspect. */
import { DAY_US } from '@tidemark/wire/time/units'
import type { CommitFacts, DeployFacts } from '../../analysis/cause/cause-facts.ts'
import type { CommitAt } from '../../analysis/cause/correlation.ts'
import type { Suspect } from '../../analysis/suspect/suspects.ts'
import type { Analysis } from '../../model/analysis.ts'
import { MAX_COMMITS_BETWEEN, type RepositoryMirror } from '../../repository/repository-mirror.ts'
import type { ConnectedRepository } from '../reading/reading-parts.ts'
import type { Candidate } from './deploy-candidates.ts'
import { type DeployRange, deployRange } from './deploy-commits.ts'
import { type StackInRepository, stackInRepository, suspectsAmong } from './stack-suspects.ts'
import { unlessAway } from './unless-away.ts'
import { BEING_COPIED, NOT_READ } from './unread-repository.ts'

/** Commits of the default branch this long before an error may have caused it, where no deploy says what ran. */
const INFERRED_REACH_US = DAY_US

export type RepositoryFacts = {
  /** In the order of the candidates. */
  deploys: (CommitFacts & Pick<DeployFacts, 'step'>)[]
  inferred: CommitFacts | null
  /** Why there are no suspects; null when there are. */
  reason: string | null
}

const NOTHING = { suspects: [], looked: null, step: null } as const

export async function readRepositoryFacts(
  repository: ConnectedRepository,
  analysis: Analysis,
  { candidates, commit }: { candidates: readonly Candidate[]; commit: CommitAt | null },
): Promise<RepositoryFacts> {
  const nothing = (reason: string): RepositoryFacts => ({
    deploys: candidates.map(() => NOTHING),
    inferred: null,
    reason,
  })
  const found = await unlessAway(repository.mirrorOf(analysis.projectId), undefined)
  if (found === null) return nothing(NOT_READ.sentence)
  if (found.state === 'none') return nothing('No repository is connected, so no commits are known.')
  if (found.state === 'mirroring') return nothing(BEING_COPIED.sentence)
  const { mirror } = found
  const facts = await unlessAway(
    candidates.length === 0 && commit !== null
      ? ofCommit(mirror, analysis, commit)
      : ofDeploys(repository, mirror, analysis, candidates),
    undefined,
  )
  return facts ?? nothing(NOT_READ.sentence)
}

async function ofDeploys(
  repository: ConnectedRepository,
  mirror: RepositoryMirror,
  analysis: Analysis,
  candidates: readonly Candidate[],
): Promise<RepositoryFacts> {
  const ranges = await Promise.all(
    candidates.map(async ({ deploy, previous }) => (await deployRange(repository, deploy, previous))!),
  )
  const newest = candidates.find((_, at) => ranges[at]?.step !== 'unknown')
  if (newest === undefined) {
    const reason = ranges[0]?.summary ?? 'No deploy was recorded in the day before, so no commits are known.'
    return { deploys: candidates.map(() => NOTHING), inferred: null, reason }
  }
  const stack = await stackInRepository(mirror, newest.deploy.sha, analysis)
  const suspects = await suspectsOfRanges(mirror, candidates, ranges, stack)
  const deploys = candidates.map(({ deploy }, at) => {
    const { step } = ranges[at]!
    if (step === 'unknown') return NOTHING
    const own = suspects.filter(({ deployId }) => deployId === deploy.id)
    // A first deploy brought more than the one commit that is known of it.
    return { suspects: own, looked: step === 'first' ? null : stack.looked, step }
  })
  return { deploys, inferred: null, reason: suspects.length > 0 ? null : whyNone(stack) }
}

/** Ranges that follow each other are one history, through which lines are followed back; what is taken back is another. */
async function suspectsOfRanges(
  mirror: RepositoryMirror,
  candidates: readonly Candidate[],
  ranges: readonly DeployRange[],
  stack: StackInRepository,
): Promise<Suspect[]> {
  const seen = new Set<string>()
  const tagged = (at: number) =>
    ranges[at]!.changes.map((change) => ({ ...change, deployId: candidates[at]!.deploy.id }))
  const forward = candidates.flatMap((_, at) => (ranges[at]!.step === 'rollback' ? [] : tagged(at)))
  // A commit that two deploys brought, here and under a name that looks like it, counts for the newer.
  const once = forward.filter(({ commit: { sha } }) => {
    const isNew = !seen.has(sha)
    seen.add(sha)
    return isNew
  })
  const found = [await suspectsAmong(mirror, once, stack)]
  for (const [at, { step }] of ranges.entries()) {
    if (step === 'rollback') found.push(await suspectsAmong(mirror, tagged(at), stack))
  }
  return found.flat().sort((one, other) => other.score - one.score)
}

async function ofCommit(mirror: RepositoryMirror, analysis: Analysis, commit: CommitAt): Promise<RepositoryFacts> {
  const earlier = await mirror.commitAt(commit.committedAtUs - INFERRED_REACH_US)
  const stack = await stackInRepository(mirror, commit.sha, analysis)
  const own = await mirror.commit(commit.sha)
  const changes =
    earlier !== null
      ? (await mirror.changesBetween(earlier.sha, commit.sha, MAX_COMMITS_BETWEEN)).changes
      : own === null
        ? []
        : [{ commit: own, files: await mirror.changedFiles(own.sha) }]
  const suspects = await suspectsAmong(
    mirror,
    changes.map((change) => ({ ...change, deployId: null })),
    stack,
  )
  return {
    deploys: [],
    inferred: { suspects, looked: stack.looked },
    reason: suspects.length > 0 ? null : whyNone(stack),
  }
}

function whyNone({ looked, service }: StackInRepository): string {
  if (looked === 'stack') return 'No commit of the deploys before it touches anything in this stack.'
  if (looked === 'service') {
    return `The stack names no file of the repository, and no commit of the deploys before it touches the service ${service}.`
  }
  return 'Neither the stack nor the service names anything in the repository.'
}
