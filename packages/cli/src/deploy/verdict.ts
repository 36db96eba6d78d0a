/** Waits for the verdict on a deploy and says it, so that a CI step can stop on a bad one. */

import type { DeployVerdictAnswer } from '@tidemark/wire/deploys/verdict'
import { parseDuration } from '@tidemark/wire/time/duration'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { DAY_MS } from '@tidemark/wire/time/units'
import { ask } from '../client/ask.ts'
import type { Colors } from '../client/colors.ts'
import type { Connection } from '../client/connection.ts'
import type { Retrying } from '../client/request.ts'
import { oneLine } from '../client/terminal-text.ts'
import { EXIT_CODES } from '../exit-codes.ts'

export const DEFAULT_WAIT = '10m'
const FAIL_ON = ['bad', 'suspect', 'never'] as const
export type FailOn = (typeof FAIL_ON)[number]

const MAX_WAIT_MS = DAY_MS
/** Proxies cut connections that are silent for a minute, so a long wait is asked for in parts. */
const PART_MS = 45_000
const ATTEMPT_MS = 120_000

export function readWait(wait: string | true, problems: string[]): number {
  const durationUs = parseDuration(wait === true ? DEFAULT_WAIT : wait)
  if (durationUs !== undefined && durationUs <= MAX_WAIT_MS * 1_000) return durationUs / 1_000
  problems.push(`--wait is "${wait}": it must be a duration of at most 24h, such as ${DEFAULT_WAIT} or 90s.`)
  return 0
}

export function readFailOn(failOn: string, problems: string[]): FailOn {
  const found = FAIL_ON.find((one) => one === failOn)
  if (found === undefined) problems.push(`--fail-on is "${failOn}": it must be one of ${FAIL_ON.join(', ')}.`)
  return found ?? 'bad'
}

/** Ends as soon as there is a verdict, or can never be one, and at the latest after `waitMs`. */
export async function waitForVerdict(
  connection: Connection,
  deployId: string,
  { waitMs, now = Date.now, ...retrying }: Retrying & { waitMs: number },
): Promise<DeployVerdictAnswer> {
  const untilMs = now() + waitMs
  for (;;) {
    const leftMs = Math.max(0, untilMs - now())
    const wait = `${Math.ceil(Math.min(PART_MS, leftMs) / 1_000)}s`
    const path = `/v1/deploys/${encodeURIComponent(deployId)}/verdict`
    const answer = await ask<DeployVerdictAnswer>(connection, path, { wait }, { attemptMs: ATTEMPT_MS, ...retrying })
    if (answer.verdict !== 'too_early' || answer.checkAgainAt === null || now() >= untilMs) return answer
  }
}

export function exitCodeOf({ verdict }: Pick<DeployVerdictAnswer, 'verdict'>, failOn: FailOn): number {
  const isAccused = verdict === 'bad' || (verdict === 'suspect' && failOn === 'suspect')
  return isAccused && failOn !== 'never' ? EXIT_CODES.accused : 0
}

export function toldVerdict(
  answer: DeployVerdictAnswer,
  waitedMs: number,
  { bold, red, yellow, green }: Colors,
): string[] {
  const { verdict, reasons, checkAgainAt } = answer
  const again = checkAgainAt === null ? '' : ` A verdict is expected at about ${checkAgainAt}.`
  const heads = {
    good: green('Verdict: good.'),
    suspect: yellow('Verdict: suspect.'),
    bad: red('Verdict: bad.'),
    too_early: `Verdict: too early to tell after ${formatElapsed(waitedMs / 1_000)}.${again}`,
    none: 'Verdict: none.',
  }
  return [bold(heads[verdict ?? 'none']), ...reasons.map((reason) => `  - ${oneLine(reason)}`)]
}
