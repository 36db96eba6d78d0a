/** The names of fields (see `FIELD_NAMES`), each with its place in the order of trust. */
import { type Accepts, isDeepName, PLACES, SLOTS, type Slot } from '@tidemark/wire/field-names'

export type Alias = { slot: number; rank: number; accepts: Accepts }

export const SLOT_NUMBER = Object.fromEntries(SLOTS.map((slot, index) => [slot, index])) as Record<Slot, number>

/** Understood at the top of a record. */
export const ALIASES: ReadonlyMap<string, Alias> = new Map(
  [...PLACES].map(([name, { slot, rank, accepts }]) => [name, { slot: SLOT_NUMBER[slot], rank, accepts }] as const),
)

/** What the version of an OpenTelemetry scope is called among the attributes. */
export const SCOPE_VERSION = 'otel.scope.version'

/**
 * Understood at every depth. Ranked below the names at the top, so that what a record says about itself is trusted
 * before what is in its attributes.
 */
export const DEEP_ALIASES: ReadonlyMap<string, Alias> = new Map(
  [...ALIASES]
    .filter(([name]) => isDeepName(name))
    .map(([name, alias]) => [name, { ...alias, rank: alias.rank + 100 }] as const),
)
