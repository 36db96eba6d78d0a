import { deployPage } from '@tidemark/wire/dashboard/address'
import { commitWords } from '@tidemark/wire/deploys/commit-words'
import { shortRevision } from '@tidemark/wire/deploys/revision'
import { AT_LEAST_ERROR } from '@tidemark/wire/level'
import {
  type DeployDetailAnswer,
  type DeployDetailInput,
  deployDetailAnswer,
  deployDetailInput,
} from '@tidemark/wire/reading/deploys'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { LATEST_DEPLOY } from '@tidemark/wire/time/parse-time'
import type { z } from 'zod'
import { deployLine } from '../text/render.ts'
import { showCommits, showDeploy, UNTRUSTED_OF_DEPLOY } from '../text/rows.ts'
import { leftOut } from '../text/sentences.ts'
import { ALL, DETAILS, shortenRevision, shortenText, TEXTS_SHORTENED, wholeOrNone } from '../text/shorten.ts'
import {
  analysisLine,
  deployPatternLine,
  showAnalysis,
  showReasons,
  UNTRUSTED_OF_ANALYSIS,
  verdictFact,
  windowFacts,
} from '../text/verdicts.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

const output = deployDetailAnswer.omit({ url: true }).shape
type Answer = z.infer<z.ZodObject<typeof output>>
type Commits = NonNullable<Answer['commits']>

const ANALYSES = ['introduced', 'regressed', 'gone'] as const
/** The state `regressed` is of those that came back alone. */
const WORDS = { introduced: 'introduced', regressed: 'came back or grew', gone: 'gone' }
const PATTERNS = ['newPatterns', 'gonePatterns'] as const

/** What is kept: a place in DETAILS, characters of names and of titles, paths of each commit, commits, analyses of each list, reasons. */
type Step = {
  detail: number
  name: number
  title: number
  paths: number
  commits: number
  analyses: number
  reasons: number
}

const SHOWN_QUERY_CHARACTERS = 200
const SHOWN_SERVICES = 5
/** Paths go before titles are cut, and titles are cut before commits go, the oldest first. The verdict stays. */
const STEPS: readonly Step[] = [
  { detail: 0, name: ALL, title: ALL, paths: ALL, commits: ALL, analyses: ALL, reasons: 8 },
  { detail: 3, name: ALL, title: 200, paths: ALL, commits: ALL, analyses: ALL, reasons: 8 },
  { detail: 4, name: ALL, title: 200, paths: 2, commits: ALL, analyses: 20, reasons: 8 },
  { detail: 5, name: 100, title: 120, paths: 0, commits: ALL, analyses: 10, reasons: 8 },
  { detail: 5, name: 100, title: 120, paths: 0, commits: 50, analyses: 10, reasons: 8 },
  { detail: 6, name: 60, title: 80, paths: 0, commits: 50, analyses: 5, reasons: 6 },
  { detail: 6, name: 60, title: 80, paths: 0, commits: 20, analyses: 5, reasons: 6 },
  { detail: 7, name: 60, title: 80, paths: 0, commits: 10, analyses: 3, reasons: 4 },
  { detail: 7, name: 40, title: 60, paths: 0, commits: 3, analyses: 1, reasons: 2 },
  { detail: 7, name: 30, title: 40, paths: 0, commits: 0, analyses: 0, reasons: 1 },
]

export const getDeployTool = defineTool({
  name: 'get_deploy',
  title: 'Get a deploy',
  description:
    'Whether a deploy did harm: verdict good, suspect, bad or too_early with reasons, records and errors before and after, analyses introduced, back or grown (regressed) and gone, new and gone message patterns, the commits it brought (needs a connected repository).',
  input: {
    id: deployDetailInput.shape.id.describe('dep_…, or latest: the newest that succeeded'),
    environment: deployDetailInput.shape.environment.describe('exact name, for latest'),
  },
  output,
  untrusted: [
    ...['deploy', 'previousDeploy'].flatMap((one) => UNTRUSTED_OF_DEPLOY.map((field) => `${one}.${field}`)),
    'reasons',
    ...ANALYSES.flatMap((list) => UNTRUSTED_OF_ANALYSIS.map((field) => `${list}[].${field}`)),
    ...PATTERNS.flatMap((list) => ['pattern', 'services'].map((field) => `${list}[].${field}`)),
    'commits.summary',
    ...['title', 'author', 'paths'].map((field) => `commits.commits[].${field}`),
  ],
  example: { id: LATEST_DEPLOY },

  async run({ reading, caller, signal }, input: DeployDetailInput, choose) {
    const answer = await reading.getDeploy(caller, input, signal)
    return choose(STEPS, (step) => replyOf(answer, step)).reply
  },

  text({ deploy, previousDeploy, isRollback, verdict, checkAgainAt, reasons, windows, commits, warnings, ...lists }) {
    return {
      facts: [
        `Deploy ${deploy.id}: ${deploy.status}, ${deploy.deployedAt}`,
        previousDeploy === null
          ? 'No deploy to its environment succeeded before it.'
          : `Before it ran ${previousDeploy.id}, since ${previousDeploy.deployedAt}`,
        ...(isRollback ? ['It is a rollback: an older revision runs again.'] : []),
        commits === null ? 'No repository is connected, so its commits are not known.' : stepFact(commits),
        verdictFact({ verdict, checkAgainAt }),
        ...windowFacts(windows),
        ...warnings.map(({ message }) => message),
      ],
      evidence: [
        '--- why this verdict',
        ...reasons.map(onOneLine),
        ...ANALYSES.flatMap((list) =>
          lists[list].length === 0 ? [] : [`--- ${WORDS[list]}`, ...lists[list].map(analysisLine)],
        ),
        ...PATTERNS.flatMap((list) =>
          lists[list].length === 0 ? [] : [`--- ${list}`, ...lists[list].map(deployPatternLine)],
        ),
        '--- the deploy',
        deployLine(deploy),
        ...(commits === null ? [] : [onOneLine(commits.summary)]),
        ...(previousDeploy === null ? [] : ['--- the deploy before it', deployLine(previousDeploy)]),
        ...(commits === null || commits.commits.length === 0
          ? []
          : [`--- commits it ${commitWords(commits, isRollback)}, newest first`]),
        ...(commits?.commits ?? []).map(commitLine),
      ],
    }
  },
})

/** The verb's own sentence names revisions, which are a sender's text, and stays inside the fence. */
function stepFact({ step, total }: Commits): string {
  const count = counted(total, 'commit')
  switch (step) {
    case 'forward':
      return `It went forward by ${count}.`
    case 'rollback':
      return `It went back by ${count}.`
    case 'diverged':
      return `It is on another line of history: ${count} that the deploy before it has not.`
    case 'same':
      return 'It brought no commit: the same revision ran already.'
    case 'first':
      return 'Nothing ran before it, so this is its own commit alone.'
    case 'unknown':
      return 'Its commits are not known. See below for the reason.'
  }
}

/** `a1b2c3d 2026-01-31T11:58:00Z by Ada | Round prices per line (3 files: src/pay.ts, src/cart.ts and 1 more)` */
function commitLine({ sha, committedAt, author, title, files, paths }: Commits['commits'][number]): string {
  return `${shortRevision(sha)} ${committedAt} by ${onOneLine(author)} | ${onOneLine(title)} (${filesWords(files, paths)})`
}

function filesWords(files: number, paths: readonly string[]): string {
  if (files === 0) return 'merge'
  if (paths.length === 0) return counted(files, 'file')
  const more = files > paths.length ? ` and ${withCommas(files - paths.length)} more` : ''
  return `${counted(files, 'file')}: ${paths.map(onOneLine).join(', ')}${more}`
}

function replyOf(answer: DeployDetailAnswer, step: Step): Reply<Answer> {
  const {
    deploy,
    previousDeploy,
    isRollback,
    verdict,
    reasons,
    before,
    after,
    windows,
    checkAgainAt,
    commits,
    warnings,
  } = answer
  const listed = (list: (typeof ANALYSES)[number]) =>
    answer[list].slice(0, step.analyses).map((one) => showAnalysis(one, step.title))
  const shown: Answer = {
    deploy: showNamed(deploy, step),
    previousDeploy: previousDeploy && showNamed(previousDeploy, step),
    verdict,
    reasons: showReasons(reasons, { most: step.reasons, characters: 2 * step.title }),
    // The widest of them is before and after, which stay.
    ...{ before, after, windows: step.analyses === 0 ? [] : windows, checkAgainAt },
    introduced: listed('introduced'),
    regressed: listed('regressed'),
    gone: listed('gone'),
    newPatterns: showPatterns(answer.newPatterns, step),
    gonePatterns: showPatterns(answer.gonePatterns, step),
    isRollback,
    commits: commits && showCommits(commits, step),
    warnings,
  }
  return {
    answer: shown,
    cut: cutNotes(answer, shown, step),
    next: nextCalls(answer),
    page: deployPage(deploy.id),
  }
}

function showPatterns(patterns: Answer['newPatterns'], { analyses, title }: Step): Answer['newPatterns'] {
  return patterns.slice(0, analyses).map((one) => ({
    ...one,
    pattern: shortenText(one.pattern, title),
    services: one.services.slice(0, SHOWN_SERVICES).map((service) => shortenText(service, title)),
    query: wholeOrNone(one.query, SHOWN_QUERY_CHARACTERS),
  }))
}

/** Names too: two deploys with the longest of all would not fit into the smallest answer. */
function showNamed(deploy: Answer['deploy'], { detail, name }: Step): Answer['deploy'] {
  const { ref, author, externalId } = deploy
  return {
    ...showDeploy(deploy, DETAILS[detail] ?? null),
    sha: shortenRevision(deploy.sha, name),
    environment: shortenText(deploy.environment, name),
    ref: ref && shortenText(ref, name),
    author: author && shortenText(author, name),
    externalId: externalId && shortenText(externalId, name),
  }
}

function cutNotes(whole: DeployDetailAnswer, shown: Answer, step: Step): string[] {
  const left = (count: (one: Answer) => number) => count(whole) - count(shown)
  const commits = whole.commits?.commits.length ? whole.commits : null
  return [
    ...(step === STEPS[0] ? [] : [TEXTS_SHORTENED]),
    ...(step.paths < ALL && commits !== null ? [pathsNote(step.paths)] : []),
    ...leftOut((commits?.total ?? 0) - (shown.commits?.commits.length ?? 0), { one: 'older commit' }),
    ...leftOut(left(allOf(ANALYSES)), { one: 'analysis', many: 'analyses', hint: 'see list_analyses' }),
    ...leftOut(left(allOf(PATTERNS)), { one: 'pattern', hint: 'see list_log_patterns' }),
    ...leftOut(
      left(({ reasons }) => reasons.length),
      { one: 'reason' },
    ),
    ...leftOut(
      left(({ windows }) => windows.length),
      { one: 'window' },
    ),
    ...(PATTERNS.some((list) => whole[list].some(({ services }) => services.length > SHOWN_SERVICES))
      ? [`At most ${SHOWN_SERVICES} services of each pattern are shown.`]
      : []),
  ]
}

function allOf(lists: typeof ANALYSES | typeof PATTERNS) {
  return (one: Answer) => lists.reduce((sum, list) => sum + one[list].length, 0)
}

function pathsNote(paths: number): string {
  return paths === 0 ? 'Paths are left out.' : `At most ${paths} paths of each commit are shown.`
}

function nextCalls({ deploy: { id } }: DeployDetailAnswer): NextCall[] {
  return [
    { tool: 'list_analyses', arguments: { introducedBy: id }, why: 'errors that began while it ran' },
    {
      tool: 'list_logs',
      arguments: { deployId: id, level: AT_LEAST_ERROR },
      why: 'errors since, until the next deploy',
    },
    { tool: 'compare_windows', arguments: { deployId: id }, why: 'what else is different since' },
  ]
}
