/** What the connected repository says about the candidates of an analysis: what each brought, and which commits are suspect. */
import { isSameRevision } from '@tidemark/wire/deploys/revision'
import { DAY_US } from '@tidemark/wire/time/units'
import type { CommitFacts, DeployFacts } from '../../analysis/cause/cause-facts.ts'
import type { CommitAt } from '../../analysis/cause/correlation.ts'
import type { Suspect } from '../../analysis/suspect/suspects.ts'
import type { Analysis } from '../../model/analysis.ts'
import { MAX_COMMITS_BETWEEN, type RepositoryMirror } from '../../repository/repository-mirror.ts'
import type { ConnectedRepository, ReadingParts } from '../reading/reading-parts.ts'
import type { Candidate } from './deploy-candidates.ts'
import { type DeployRange, deployRange } from './deploy-commits.ts'
import { placesAt, revisionOfStack } from './revision-of-stack.ts'
import { type StackInRepository, stackInRepository, suspectsAmong } from './stack-suspects.ts'
import { unlessAway } from './unless-away.ts'
import { REPOSITORY_NOT_READ, uncopiedRepository } from './unread-repository.ts'

/** Commits of the default branch this long before an error may have caused it, where no deploy says what ran. */
const INFERRED_REACH_US = DAY_US

export type RepositoryFacts = {
  /** In the order of the candidates. */
  deploys: (CommitFacts & Pick<DeployFacts, 'step'>)[]
  inferred: CommitFacts | null
  /** Why there are no suspects; null when there are. */
  reason: string | null
}

type Parts = { control: Pick<ReadingParts['control'], 'deploys'>; repository: ConnectedRepository }

const NOTHING = { suspects: [], looked: null, step: null } as const

export async function readRepositoryFacts(
  parts: Parts,
  analysis: Analysis,
  { candidates, commit }: { candidates: readonly Candidate[]; commit: CommitAt | null },
): Promise<RepositoryFacts> {
  const nothing = (reason: string): RepositoryFacts => ({
    deploys: candidates.map(() => NOTHING),
    inferred: null,
    reason,
  })
  const found = await unlessAway(parts.repository.mirrorOf(analysis.projectId), undefined)
  if (found === null) return nothing(REPOSITORY_NOT_READ.sentence)
  if (found.state === 'none') return nothing('No repository is connected, so no commits are known.')
  if (found.state === 'uncopied') return nothing(uncopiedRepository(found).sentence)
  const { mirror } = found
  const facts = await unlessAway(
    candidates.length === 0 && commit !== null
      ? ofCommit(parts, mirror, analysis, commit)
      : ofDeploys(parts, mirror, analysis, candidates),
    undefined,
  )
  return facts ?? nothing(REPOSITORY_NOT_READ.sentence)
}

async function ofDeploys(
  { control, repository }: Parts,
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
  const { sha, deployedAtUs } = newest.deploy
  const stack = await stackInRepository(mirror, sha, analysis)
  const sentFrom = await revisionOfStack(control.deploys, mirror, analysis, { sha, atUs: deployedAtUs })
  const stacks = {
    newest: { ...stack, places: await placesAt(mirror, stack.places, { from: sentFrom, to: sha }) },
    own: sentFrom === null ? null : { sha: sentFrom, ...(await stackInRepository(mirror, sentFrom, analysis)) },
  }
  const suspects = await suspectsOfRanges(mirror, candidates, ranges, stacks)
  const deploys = candidates.map(({ deploy }, at) => {
    const { step } = ranges[at]!
    if (step === 'unknown') return NOTHING
    const own = suspects.filter(({ deployId }) => deployId === deploy.id)
    // A first deploy brought more than the one commit that is known of it.
    return { suspects: own, looked: step === 'first' ? null : stack.looked, step }
  })
  return { deploys, inferred: null, reason: suspects.length > 0 ? null : whyNone(stack) }
}

/** Where the stack is in the newest of the revisions, and in the one that it was sent from; null where that is not known. */
type Stacks = { newest: StackInRepository; own: (StackInRepository & { sha: string }) | null }

/** Ranges that follow each other are one history, through which lines are followed back; what is taken back is another. */
async function suspectsOfRanges(
  mirror: RepositoryMirror,
  candidates: readonly Candidate[],
  ranges: readonly DeployRange[],
  { newest, own }: Stacks,
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
  // From its own release on a line is where the stack says, whatever a later deploy did to it.
  const release = own === null ? -1 : candidates.findIndex(({ deploy }) => isSameRevision(deploy.sha, own.sha))
  const upToOwn = new Set(candidates.slice(release === -1 ? candidates.length : release).map(({ deploy }) => deploy.id))
  const [later, earlier] = [false, true].map((isEarlier) =>
    once.filter(({ deployId }) => upToOwn.has(deployId) === isEarlier),
  )
  const found = [
    await suspectsAmong(mirror, later!, newest),
    own === null ? [] : await suspectsAmong(mirror, earlier!, own),
  ]
  for (const [at, { step }] of ranges.entries()) {
    if (step === 'rollback') found.push(await suspectsAmong(mirror, tagged(at), newest))
  }
  return found.flat().sort((one, other) => other.score - one.score)
}

async function ofCommit(
  { control }: Parts,
  mirror: RepositoryMirror,
  analysis: Analysis,
  commit: CommitAt,
): Promise<RepositoryFacts> {
  const earlier = await mirror.commitAt(commit.committedAtUs - INFERRED_REACH_US)
  const blamed = { sha: commit.sha, atUs: commit.committedAtUs }
  const from = await revisionOfStack(control.deploys, mirror, analysis, blamed)
  const found = await stackInRepository(mirror, commit.sha, analysis)
  const stack = { ...found, places: await placesAt(mirror, found.places, { from, to: commit.sha }) }
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
