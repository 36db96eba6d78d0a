import type { Slot } from '@tidemark/wire/field-names'
import { levelOfText } from '@tidemark/wire/senders/line-layouts'
import { levelOfSent } from '@tidemark/wire/senders/sent-level'
import { ALIASES, type Alias, SLOT_NUMBER } from './aliases.ts'
import { aliasFor, type RecordDraft } from './record-draft.ts'

/** Ranked below everything that a record says about itself. */
export const BESIDE = 200
const FALLBACK = 300

/** Names that only one protocol uses for our fields, each list in the order of trust. */
type OwnNames = ReadonlyMap<string, { slot: Slot; rank: number }>

export function ownNames(names: Partial<Record<Slot, string>>): OwnNames {
  return new Map(
    Object.entries(names).flatMap(([slot, list]) =>
      list.split(' ').map((name, rank) => [name, { slot: slot as Slot, rank }] as const),
    ),
  )
}

/**
 * What stands beside a record: a label, a tag. It fills the field it names unless the record says so itself; then, and
 * when it names none, it is an attribute. What repeats the record's own words is left out.
 */
export function offerNamed(draft: RecordDraft, name: string, value: unknown, own: OwnNames): void {
  const common = ALIASES.get(name)
  const special = own.get(name)
  const alias =
    special !== undefined
      ? aliasFor(special.slot, special.rank + FALLBACK)
      : common && { ...common, rank: common.rank + BESIDE }
  if (alias === undefined || isTimeOrMessage(alias.slot)) {
    draft.read(name, value, 1)
    return
  }
  offerBeside(draft, alias, name, value)
}

/** The same for a name whose field is known. */
export function offerBeside(draft: RecordDraft, alias: Alias, name: string, value: unknown): void {
  const held = draft.valueAt(alias.slot)
  if (held !== undefined && isSame(alias.slot, held, value)) return
  if (!draft.offer(alias, name, value)) draft.read(name, value, 1)
}

/** For a protocol that adds a level of its own where the program has chosen none: the level that its text states comes first. */
export function offerLevelOfText(draft: RecordDraft): void {
  const message = draft.value('message')
  const level = typeof message === 'string' ? levelOfText(message) : null
  if (level !== null) draft.offer(LEVEL_OF_TEXT, 'level', level)
}

const LEVEL_OF_TEXT = aliasFor('level', BESIDE - 1)

function isTimeOrMessage(slot: number): boolean {
  return slot === SLOT_NUMBER.time || slot === SLOT_NUMBER.message
}

/** `30` and `info` are the same level; everything else is what it says. */
function isSame(slot: number, held: unknown, value: unknown): boolean {
  if (String(held) === String(value)) return true
  if (slot !== SLOT_NUMBER.level) return false
  const level = levelOfSent(value)
  return level !== null && level === levelOfSent(held)
}
