/** What agents asked with the keys of a project, for those who may see its keys. */
import type { CallsAnswer, CallsByKeyAnswer, CallsInput } from '@tidemark/wire/people/call'
import { DEFAULT_LIMIT } from '@tidemark/wire/reading/question'
import type { Caller } from '../../model/caller.ts'
import { type ControlParts, requireManager } from '../access.ts'

export async function listCalls(
  parts: ControlParts,
  caller: Caller,
  { project, limit = DEFAULT_LIMIT, ...filter }: CallsInput & { project: string },
): Promise<CallsAnswer> {
  const { id } = await requireManager(parts, caller, { project, least: 'member' })
  const found = await parts.control.calls.list(id, { ...filter, limit: limit + 1 })
  const calls = found.slice(0, limit)
  return { calls, nextBefore: found.length > limit ? (calls.at(-1)?.id ?? null) : null }
}

export async function sumCallsByKey(
  parts: ControlParts,
  caller: Caller,
  { project }: { project: string },
): Promise<CallsByKeyAnswer> {
  const { id } = await requireManager(parts, caller, { project, least: 'member' })
  const { calls } = parts.control
  return { keys: await calls.byKey(id, parts.now()), names: await calls.names(id) }
}
