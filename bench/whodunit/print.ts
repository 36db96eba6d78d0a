import type { Exam, Truth } from './ask.ts'
import { type Mark, marksOf } from './score.ts'

/** A line for each incident: what is wrong, what was to be found out, what was said. */
export function printExams(name: string, exams: readonly Exam[]): void {
  console.log(`\n  ${name}`)
  for (const exam of exams) {
    const { rule, cause, suspect, notThisDeploy, sameInList } = marksOf(exam)
    const marks = [
      sign(cause, 'cause'),
      sign(suspect, 'suspect'),
      sign(notThisDeploy, 'innocent'),
      sign(rule, 'rule'),
      sign(sameInList, 'list'),
    ].filter((text) => text !== '')
    const verdict = marks.length === 0 ? 'ok' : `WRONG ${marks.join(' ')}`
    console.log(`  ${verdict.padEnd(30)} ${expected(exam.truth)} | told: ${told(exam)}`)
  }
}

/** How many of each kind are right. */
export function printKinds(exams: readonly Exam[]): void {
  console.log(`\n  ${'kind'.padEnd(24)} ${'cause'.padStart(8)} ${'suspect'.padStart(8)} ${'innocent'.padStart(8)}`)
  for (const kind of new Set(exams.map(({ truth }) => truth.kind))) {
    const marks = exams.filter(({ truth }) => truth.kind === kind).map(marksOf)
    const counted = (of: Mark[]) => {
      const asked = of.filter((mark) => mark !== null)
      return (asked.length === 0 ? '' : `${asked.filter(Boolean).length}/${asked.length}`).padStart(8)
    }
    const columns = [
      counted(marks.map(({ cause }) => cause)),
      counted(marks.map(({ suspect }) => suspect)),
      counted(marks.map(({ notThisDeploy }) => notThisDeploy)),
    ]
    console.log(`  ${kind.padEnd(24)} ${columns.join(' ')}`)
  }
}

function sign(mark: Mark, name: string): string {
  return mark === false ? name : ''
}

function expected({
  incident,
  service,
  environment,
  firstErrorAt,
  causeKinds,
  cause,
  correlatedDeploy,
}: Truth): string {
  const deploy = cause.deploy ? ` ${short(cause.deploy.sha)} commit ${short(cause.commit)}` : ''
  const rule = `rule ${short(correlatedDeploy?.sha)}`
  return `${incident} ${environment}/${service} ${firstErrorAt.slice(0, 19)}: ${causeKinds.join('|')}${deploy}, ${rule}`
}

function told({ item, detail }: Exam): string {
  if (item === null) return 'there is no analysis'
  const cause = detail?.likelyCause
  if (!cause) return `${item.id} has no likely cause; correlated ${short(item.correlatedDeploy?.sha)}`
  const suspect = `suspect ${short(detail?.suspects?.[0]?.sha)}`
  return `${item.id} ${cause.kind} ${short(cause.sha)} ${cause.confidence} "${cause.title}", ${suspect}, correlated ${item.correlatedDeploy?.confidence}`
}

function short(sha: string | null | undefined): string {
  return sha?.slice(0, 7) ?? '-'
}
