/** What is weighed, and therefore also looked up, by more than one kind of evidence. */
import { DAY_US, MINUTE_US } from '@tidemark/wire/time/units'

/** Errors that begin this soon after a deploy speak for it by that alone: what ran in between need not be looked at. */
export const TOLD_BY_TIME_US = 10 * MINUTE_US
/** Below this many expected errors their absence says nothing. */
export const LEAST_EXPECTED = 2
/** Of the errors that have a field: from here on one value alone fails. */
export const ONLY_ONE = 0.95
/** Errors that begin within this time of a deploy may be because of it. */
export const REACH_US = DAY_US
/** Some record a deploy when it is done, when its first machines have been failing for minutes. */
export const RECORDED_AFTER_US = 15 * MINUTE_US
/**
 * For a setting that changed before a deploy was recorded, far less: one that is taken for the deploy's is told no more as a
 * cause by itself, and a deploy minutes after trouble began is often the answer to it.
 */
export const RECORDED_AFTER_SETTING_US = MINUTE_US
/** What a service tells this soon after a deploy belongs to it. */
export const TOLD_BY_DEPLOY_US = 15 * MINUTE_US
