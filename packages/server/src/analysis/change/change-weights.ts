/**
 * How much the kind of a change, its time and what is known of it count when changes before a moment are ranked. Each is a
 * part of 1, and they are multiplied: a change that is strong in all of them is worth a look first.
 */

import type { Verdict } from '@tidemark/wire/deploys/deploy-status'
import { type ChangeKind, LIKELY_SCORE } from '@tidemark/wire/reading/changes'
import { MINUTE_US } from '@tidemark/wire/time/units'

export const KIND_WEIGHTS: Record<ChangeKind, number> = {
  /** Most of what breaks was changed by somebody, and most of what is changed is deployed. */
  deploy: 1,
  /** As often to blame, but rarer, and seen by its traces alone. */
  configuration: 0.95,
  /** New code that nobody recorded; part of a roll-out may be old. */
  version: 0.8,
  /** When it reached the environment is not known. */
  commit: 0.7,
  /** More often what a change did than what did it, from here on. */
  service: 0.6,
  errors: 0.55,
  volume: 0.5,
  host: 0.45,
  /** There are always some, and most of them tell of ordinary things. */
  pattern: 0.4,
  /** Only ever told as the cause of an analysis, which ranks them itself. */
  dependency: 0.5,
  environment: 0.5,
  data: 0.5,
  load: 0.5,
}

/** What speaks against a deploy has been weighed by its verdict already. */
export const VERDICT_STRENGTHS: Record<Verdict, number> = { bad: 1, suspect: 0.85, too_early: 0.7, good: 0.4 }
/** It never went live, but may have stopped half-way. */
export const NOT_LIVE_STRENGTH = 0.3
/** Recorded under a name that looks like the environment: it may have gone there. */
export const ALIKE_STRENGTH = 0.8
/** The setting came with a deploy, which is listed too. */
export const WITH_DEPLOY_STRENGTH = 0.6
/** Seen in ordinary records, not told by the service at a start. */
export const UNTOLD_STRENGTH = 0.8

/** What is near counts most. Time counts by its doublings from half an hour on: an hour more says much today, little yesterday. */
const NEAR_US = 30 * MINUTE_US
const PER_DOUBLING = 0.5

/** 1 at the moment, 0.67 half an hour before it, 0.35 six hours before, 0.26 a day before. */
export function closeness(elapsedUs: number): number {
  return 1 / (1 + PER_DOUBLING * Math.log2(1 + Math.abs(elapsedUs) / NEAR_US))
}

/** With an analysis its cause is listed first, with a score that says how sure it is. `unknown`: where nothing explains it. */
export const CAUSE_SCORES = { high: 0.95, medium: 0.8, low: LIKELY_SCORE, unknown: 0.4 }
/** A rival that is lighter by this many doublings of the odds has half the score. */
export const HALF_SCORE_DOUBLINGS = 4
