import { MINUTE_US } from '../time/units.ts'

/** Services are looked at in slices of this length, so the time at which one fell silent is known no better. */
export const SILENCE_SLICE_US = 10 * MINUTE_US
