import type { AnalysisDetail, AnalysisItem, CorrelatedDeploy } from '@tidemark/wire/analyses/analysis'
import { isQuietNow } from '@tidemark/wire/analyses/analysis-state'
import type { LikelyCause, SuspectView } from '@tidemark/wire/analyses/cause'
import { causeLine } from '@tidemark/wire/analyses/cause-words'
import { changeWord } from '@tidemark/wire/analyses/correlated-words'
import { shortRevision } from '@tidemark/wire/deploys/revision'
import { amountWords, counted, withCommas } from '@tidemark/wire/text/counted'
import { errorHeadline } from '@tidemark/wire/text/error-headline'
import { placeInFile } from '@tidemark/wire/text/place-in-file'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import type { Colors } from '../client/colors.ts'
import { oneLine, terminalText } from '../client/terminal-text.ts'

const INDENT = '  '

/** An analysis in a list: what it is, how often and where, what caused it, and what ran when it began. */
export function itemLines(analysis: AnalysisItem, colors: Colors): string[] {
  const { id, title, state, environment, service, count, firstSeen, lastSeen, summary } = analysis
  const quiet = isQuietNow(analysis) ? '  quiet now' : ''
  const where = [environment, service].filter(Boolean).map(oneLine).join(' / ')
  return [
    `${stateText(state, colors)}  ${colors.bold(oneLine(title))}`,
    colors.dim(`${INDENT}${id}  ${where}  ${counted(count, 'time')}, ${firstSeen} to ${lastSeen}${quiet}`),
    ...(summary ? [`${INDENT}${oneLine(summary)}`] : []),
    ...causeText(analysis).map((text) => INDENT + text),
    `${INDENT}${deployText(analysis)}`,
    '',
  ]
}

/** Everything, for somebody who is about to fix it. Parts that an older service does not send are left out. */
export function analysisLines(analysis: AnalysisDetail, colors: Colors): string[] {
  const { correlatedDeploy: deploy, rates, error, rawStack, samples } = analysis
  const lines = itemLines(analysis, colors).slice(0, -1)
  if (deploy) lines.push(...evidenceLines(deploy))
  lines.push(...explanationLines(analysis))
  const headline = errorHeadline(oneLine(error?.type ?? ''), oneLine(error?.message ?? ''))
  if (headline !== '') lines.push('', headline)
  if (analysis.where) lines.push(`in ${oneLine(analysis.where)}`)
  if (rates) {
    const { before, after } = rates
    lines.push(
      '',
      `Before the ${changeWord(deploy?.source ?? null)}: ${withCommas(before.errors)} in ${counted(before.records, 'record')} (${amountWords(before.perHour)} an hour)`,
    )
    lines.push(
      `After it: ${withCommas(after.errors)} in ${counted(after.records, 'record')} (${amountWords(after.perHour)} an hour)`,
    )
  }
  if (analysis.isSourceMapped) lines.push('', 'Stack, read from source maps:', ...frameLines(analysis))
  else if (rawStack) lines.push('', ...block(rawStack))
  if (samples?.length) {
    lines.push('', 'Newest records:')
    for (const { timestamp, message, id } of samples.slice(0, 5)) {
      lines.push(`${INDENT}${colors.dim(timestamp)}  ${oneLine(message)}  ${colors.dim(id)}`)
    }
  }
  return lines
}

function frameLines({ stack }: AnalysisDetail): string[] {
  return stack.flatMap(({ type, message, frames }) => [
    ...[errorHeadline(oneLine(type), oneLine(message))].filter(Boolean).map((headline) => INDENT + headline),
    ...frames.map(({ function: name, file, line, column }) => {
      const place = placeInFile(placeInFile(file, line), line === null ? null : column)
      return `${INDENT}${INDENT}at ${oneLine(name === '' ? place : `${name} (${place})`)}`
    }),
  ])
}

/** An older service knows no cause, and a newer one may have begun its summary with it. */
function causeText({ likelyCause: cause, summary }: { likelyCause?: LikelyCause; summary?: string }): string[] {
  if (cause === undefined || summary?.startsWith(causeLine(cause, cause.title))) return []
  return [causeLine(cause, oneLine(cause.title))]
}

function explanationLines(analysis: Partial<AnalysisDetail>): string[] {
  const { likelyCause, suspects = [], suspectsReason, standouts = [], course } = analysis
  const parts: [string, string[]][] = [
    ['Why', likelyCause === undefined ? [] : causeLines(likelyCause)],
    [
      'Suspect commits',
      suspects.length > 0 ? suspects.map(suspectText) : suspectsReason ? [oneLine(suspectsReason)] : [],
    ],
    ['What stands out', standouts.map(({ text }) => oneLine(text))],
    ['Course', course === undefined ? [] : [`since ${course.onset}: ${oneLine(course.text)}`]],
  ]
  return parts.flatMap(([name, lines]) =>
    lines.length === 0 ? [] : ['', `${name}:`, ...lines.map((line) => INDENT + line)],
  )
}

function causeLines({ evidenceFor, evidenceAgainst, rivals }: LikelyCause): string[] {
  return [
    ...evidenceFor.map((text) => `+ ${oneLine(text)}`),
    ...evidenceAgainst.map((text) => `- ${oneLine(text)}`),
    ...rivals.map(({ title, reason }) => `not ${oneLine(title)}: ${oneLine(reason)}`),
  ]
}

function suspectText({ sha, title, author, file, line, reason }: SuspectView): string {
  const place = placeInFile(file, line)
  return `${shortRevision(sha)} ${oneLine(title)} (${oneLine(author)}, ${oneLine(place)}): ${oneLine(reason)}`
}

function deployText({ correlatedDeploy: deploy, correlatedDeployReason: reason }: AnalysisItem): string {
  if (!deploy) return `No deploy: ${oneLine(reason ?? 'none is known')}`
  const ref = deploy.ref ? ` (${oneLine(deploy.ref)})` : ''
  const isInferred = deploy.source === 'inferred'
  const at = (isInferred ? deploy.committedAt : deploy.deployedAt) ?? 'an unknown time'
  const verb = isInferred ? 'inferred commit, made' : 'deployed'
  return `${formatElapsed(deploy.elapsedSeconds)} after ${oneLine(shortRevision(deploy.sha))}${ref}, ${verb} ${at} to ${oneLine(deploy.environment)} (${deploy.confidence} confidence)`
}

function evidenceLines({ evidenceFor, evidenceAgainst, warning }: CorrelatedDeploy): string[] {
  return [
    ...evidenceFor.map((text) => `${INDENT}+ ${oneLine(text)}`),
    ...evidenceAgainst.map((text) => `${INDENT}- ${oneLine(text)}`),
    ...(warning ? [`${INDENT}! ${oneLine(warning)}`] : []),
  ]
}

function block(text: string): string[] {
  return terminalText(text.trimEnd())
    .split('\n')
    .map((line) => INDENT + line)
}

function stateText(state: string, { red, yellow, dim, green }: Colors): string {
  const paint: Record<string, (text: string) => string> = { new: red, regressed: red, ongoing: yellow, resolved: green }
  return (paint[state] ?? dim)(state.toUpperCase().padEnd(9))
}
