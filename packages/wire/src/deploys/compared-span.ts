/** How long before and after a deploy its records are compared. What compares them and what links to them both ask here. */
import { HOUR_US, MINUTE_US } from '../time/units.ts'

/** In less time there is hardly anything to compare. */
export const MIN_COMPARED_US = 5 * MINUTE_US
/** Later records say more about the traffic of the day than about the deploy. */
const MAX_COMPARED_US = HOUR_US

/** As long as it ran, within those bounds. */
export function comparedUs(ranUs: number): number {
  return Math.min(Math.max(ranUs, MIN_COMPARED_US), MAX_COMPARED_US)
}
