/**
 * Completion of the arguments of prompts and resource templates. Names of environments and services are strangers' text
 * that a person may pick without a second look, so only plain words are offered; any other can still be typed.
 */
import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server'
import type { SuggestedKind } from '@tidemark/wire/reading/suggestions'
import { isStorable } from '../model/storable-text.ts'
import { PROMPTS } from './prompts.ts'
import { type CallError, invalidParams } from './protocol-error.ts'
import { TEMPLATES } from './resources.ts'
import { isInstructionLike } from './text/instruction-like.ts'
import type { ToolCall } from './tool.ts'

/** The protocol allows no more. */
const MAX_VALUES = 100
/** How many are looked at to find them, because not all are plain. */
const MAX_LOOKED_AT = 200
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:/@+-]{0,63}$/u
const NOTHING: CompleteResult = { completion: { values: [], total: 0, hasMore: false } }

export async function complete(call: ToolCall, params: CompleteRequest['params']): Promise<CompleteResult> {
  const kind = kindOf(params)
  const prefix = params.argument.value
  if (kind === null || !isStorable(prefix)) return NOTHING
  const { reading, caller, signal } = call
  const { values, more } = await reading.suggestNames(caller, { kind, prefix, limit: MAX_LOOKED_AT }, signal)
  const plain = values.filter((value) => PLAIN_NAME.test(value) && !isInstructionLike(value))
  const shown = plain.slice(0, MAX_VALUES)
  return { completion: { values: shown, total: plain.length, hasMore: more || plain.length > shown.length } }
}

/** Null for an argument that has nothing to complete with. */
function kindOf({ ref, argument: { name } }: CompleteRequest['params']): SuggestedKind | null {
  if (ref.type === 'ref/prompt') {
    const prompt = PROMPTS.find((one) => one.name === ref.name)
    const argument = prompt?.arguments.find((one) => one.name === name)
    if (argument) return argument.completes
    throw unknown(prompt ? `has the arguments: ${prompt.arguments.map((one) => one.name).join(', ')}` : null, 'prompt')
  }
  const template = TEMPLATES.find(({ uriTemplate }) => uriTemplate === ref.uri)
  if (template && name === 'id') return template.kind
  throw unknown(template ? 'has the argument: id' : null, 'template')
}

function unknown(accepted: string | null, what: 'prompt' | 'template'): CallError {
  const all = what === 'prompt' ? PROMPTS.map(({ name }) => name) : TEMPLATES.map(({ uriTemplate }) => uriTemplate)
  const message =
    accepted === null ? `There is no such ${what}. There are: ${all.join(', ')}` : `This ${what} ${accepted}`
  return invalidParams(message)
}
