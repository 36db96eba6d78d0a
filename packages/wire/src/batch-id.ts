/** A sender's name for a batch: the same bytes sent again under it are stored once. */
import { DAY_MS, HOUR_MS } from './time/units.ts'

const MAX_BATCH_ID_CHARACTERS = 64
export const BATCH_ID = new RegExp(`^[A-Za-z0-9_.:-]{1,${MAX_BATCH_ID_CHARACTERS}}$`)
export const BATCH_ID_IN_WORDS = `1 to ${MAX_BATCH_ID_CHARACTERS} characters: letters, digits and _ . : -`

/** How long a batch that is sent again is recognised. */
export const BATCH_MEMORY_MS = DAY_MS
export const BATCH_MEMORY_HOURS = BATCH_MEMORY_MS / HOUR_MS
