/** Right or wrong, by rules that know only the truth and the answer. A field that is missing is wrong. */
import { isDeepStrictEqual } from 'node:util'
import { type BenchResult, share } from '../result.ts'
import type { Exam } from './ask.ts'

export type Mark = boolean | null

/** Null where a question does not apply to the incident. */
type Marks = {
  /** The correlated deploy is the one that the rule names, whoever is to blame. */
  rule: boolean
  cause: boolean
  suspect: Mark
  /** The correlated deploy is innocent, and the answer says so. */
  notThisDeploy: Mark
  sameInList: boolean
  confidence: 'high' | 'medium' | 'low' | null
}

export function marksOf(exam: Exam): Marks {
  const { truth, item, detail } = exam
  const { commit } = truth.cause
  return {
    rule: obeysRule(exam),
    cause: namesCause(exam),
    suspect: commit === null ? null : isSame(detail?.suspects?.[0]?.sha, commit),
    notThisDeploy: acquits(exam),
    sameInList: item?.likelyCause !== undefined && isDeepStrictEqual(item.likelyCause, detail?.likelyCause),
    confidence: detail?.likelyCause?.confidence ?? null,
  }
}

function obeysRule({ truth, item, detail }: Exam): boolean {
  const { correlatedDeploy: named } = truth
  return [item, detail].every((answer) => {
    const told = answer?.correlatedDeploy
    if (answer === null || told === undefined) return false
    if (named === null) return told?.source !== 'recorded'
    return (
      told?.source === 'recorded' &&
      told.sha === named.sha &&
      told.environment === named.environment &&
      Date.parse(told.deployedAt ?? '') === Date.parse(named.deployedAt)
    )
  })
}

/** For a deploy its sha must be right, too; for a commit, the commit. */
function namesCause({ truth, detail }: Exam): boolean {
  const told = detail?.likelyCause
  if (!told || !truth.causeKinds.includes(told.kind)) return false
  if (told.kind === 'deploy') return isSame(told.sha, truth.cause.deploy?.sha)
  if (told.kind === 'commit') return isSame(told.commit?.sha ?? told.sha, truth.cause.commit)
  return true
}

function acquits({ truth, detail }: Exam): Mark {
  const { correlatedDeploy, cause } = truth
  if (correlatedDeploy === null || isSame(correlatedDeploy.sha, cause.deploy?.sha)) return null
  const told = detail?.correlatedDeploy
  if (!detail?.likelyCause || !told) return false
  return detail.likelyCause.deployId !== told.deployId && told.confidence === 'low'
}

function isSame(told: string | null | undefined, truth: string | null | undefined): boolean {
  return typeof told === 'string' && typeof truth === 'string' && told === truth
}

export function scores(name: string, exams: readonly Exam[], { withBars }: { withBars: boolean }): BenchResult[] {
  const all = exams.map(marksOf)
  const of = (label: string, marks: readonly Mark[], bar: number | null) => {
    const asked = marks.filter((mark) => mark !== null)
    return share(`${name}: ${label}`, asked.filter(Boolean).length, asked.length, withBars ? bar : null)
  }
  const sure = (confidence: Marks['confidence']) =>
    all.filter((marks) => marks.confidence === confidence).map(({ cause }) => cause)
  return [
    of(
      'an analysis was found',
      exams.map(({ item }) => item !== null),
      100,
    ),
    of(
      'correlated by the rule',
      all.map(({ rule }) => rule),
      100,
    ),
    of(
      'likely cause right',
      all.map(({ cause }) => cause),
      85,
    ),
    of(
      'first suspect right',
      all.map(({ suspect }) => suspect),
      80,
    ),
    of(
      '"not this deploy" said where it is so',
      all.map(({ notThisDeploy }) => notThisDeploy),
      90,
    ),
    of(
      'said with high confidence',
      all.map(({ confidence }) => confidence === 'high'),
      null,
    ),
    of('right when confidence is high', sure('high'), 95),
    of('right when confidence is medium', sure('medium'), 70),
    of('right when confidence is low', sure('low'), null),
    of(
      'list and detail say the same',
      all.map(({ sameInList }) => sameInList),
      100,
    ),
  ]
}
