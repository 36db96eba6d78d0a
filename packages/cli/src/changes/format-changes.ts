import { type ChangesAnswer, type ChangeView, LIKELY_SCORE } from '@tidemark/wire/reading/changes'
import { withCommas } from '@tidemark/wire/text/counted'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import type { Colors } from '../client/colors.ts'
import { oneLine } from '../client/terminal-text.ts'

const INDENT = '  '

/** The moment, then each change: how likely, what and when, and why it is there. */
export function changesLines({ at, changes, otherChanges }: ChangesAnswer, colors: Colors): string[] {
  if (changes.length === 0) return []
  return [
    colors.dim(`Before ${at}:`),
    ...changes.flatMap((change) => changeLines(change, colors)),
    ...(otherChanges > 0 ? [colors.dim(`and ${withCommas(otherChanges)} less likely: raise --limit`)] : []),
  ]
}

function changeLines(change: ChangeView, { bold, dim, red }: Colors): string[] {
  const { kind, score, role, title, reason, timestamp, elapsedSeconds, deployId, analysisId } = change
  const paint = role === 'cause' || score >= LIKELY_SCORE ? red : dim
  const when = `${formatElapsed(Math.abs(elapsedSeconds))} ${elapsedSeconds < 0 ? 'after' : 'before'}, ${timestamp}`
  const ids = [deployId, analysisId].filter((id) => id !== null).join(' ')
  return [
    `${paint(score.toFixed(2))}  ${kind.padEnd(13)}  ${bold(oneLine(title))}`,
    `${INDENT}${oneLine(reason)}`,
    dim(`${INDENT}${when}${ids === '' ? '' : `  ${ids}`}`),
  ]
}
