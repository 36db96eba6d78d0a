/** Course, suspects and standouts as every door shows them. */

import type { CourseView, LikelyCause, Standout, SuspectView } from '@tidemark/wire/analyses/cause'
import { printQuery } from '@tidemark/wire/query/print'
import { amountWords, counted, withCommas } from '@tidemark/wire/text/counted'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { SECOND_US } from '@tidemark/wire/time/units'
import type { CauseFacts, End } from '../../analysis/cause/cause-facts.ts'
import type { Course } from '../../analysis/cause/error-course.ts'
import { standoutWords } from '../../analysis/cause/other-causes.ts'
import { roundedRate } from '../../analysis/cause/rates.ts'
import type { StandoutFound } from '../../analysis/cause/standouts.ts'
import { fieldEquals } from '../../analysis/field-query.ts'
import { recordsQuery } from '../../analysis/group/records-query.ts'
import type { Suspect } from '../../analysis/suspect/suspects.ts'
import { shaWords } from '../../analysis/words.ts'
import type { Analysis } from '../../model/analysis.ts'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { narrowed } from '../reading/narrowing.ts'

const MAX_SUSPECTS = 5

export function courseView(course: Course, end: End): CourseView {
  const { onsetUs, basePerHour, count, peak, untilUs } = course
  return {
    onset: formatRfc3339(onsetUs),
    basePerHour: roundedRate(basePerHour),
    count,
    peak: { from: formatRfc3339(peak.atUs), to: formatRfc3339(peak.atUs + peak.spanUs), count: peak.count },
    end: end.kind === 'going' ? null : formatRfc3339(untilUs),
    endedWith:
      end.kind === 'deploy' ? { deployId: end.deploy.id, sha: end.deploy.sha, isRollback: end.isRollback } : null,
    text: courseText(course, end),
  }
}

function courseText({ onsetUs, untilUs, basePerHour, count, peak }: Course, end: End): string {
  const lasted = untilUs > onsetUs ? ` in ${formatElapsed((untilUs - onsetUs) / SECOND_US)}` : ''
  const grew = basePerHour > 0 ? `, ${amountWords(basePerHour)} an hour otherwise` : ''
  const most =
    count >= 10 && peak.count < count
      ? `, at most ${withCommas(peak.count)} in ${formatElapsed(peak.spanUs / SECOND_US)}`
      : ''
  return `${counted(count, 'error')}${lasted}${most}${grew}; ${endText(end)}.`
}

function endText(end: End): string {
  switch (end.kind) {
    case 'going':
      return 'it goes on'
    case 'deploy':
      return `ended with ${end.isRollback ? 'the rollback to' : 'the deploy of'} ${shaWords(end.deploy.sha)}`
    case 'alone':
      return 'ended without a deploy'
  }
}

/** The commit of the likely cause comes first. */
export function suspectViews(suspects: readonly Suspect[], likely: LikelyCause): SuspectView[] {
  const first = (one: Suspect) =>
    likely.commit !== null && one.commit.sha === likely.commit.sha && one.deployId === likely.deployId
  const seen = new Set<string>()
  return [...suspects.filter(first), ...suspects.filter((one) => !first(one))]
    .filter(({ commit: { sha } }) => !seen.has(sha) && seen.add(sha))
    .slice(0, MAX_SUSPECTS)
    .map(({ commit, deployId, file, line, reason }) => ({
      sha: commit.sha,
      title: commit.subject,
      author: commit.authorName,
      committedAt: formatRfc3339(commit.committedAtUs),
      deployId,
      file,
      line,
      reason,
    }))
}

export function standoutViews(
  standouts: CauseFacts['standouts'],
  isSampled: boolean,
  analysis: Analysis,
  rules: readonly RuleEffect[],
): Standout[] {
  return standouts.map((standout) => ({
    field: standout.field.name,
    value: standout.value,
    errors: standout.errors,
    errorsWithField: standout.errorsWithField,
    others: standout.others,
    othersWithField: standout.othersWithField,
    isSampled,
    text: `${standoutWords(standout)}${isSampled ? ', in a sample' : ''}.`,
    query: standoutQuery(standout, analysis, rules),
  }))
}

function standoutQuery({ field, value }: StandoutFound, analysis: Analysis, rules: readonly RuleEffect[]): string {
  const own = recordsQuery(analysis, rules) ?? { root: null }
  return printQuery(narrowed(own, { terms: [fieldEquals(field, value)] }))
}
