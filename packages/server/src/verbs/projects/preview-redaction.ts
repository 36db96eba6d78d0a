import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { checkedRedaction, redactionOf } from '../../redaction/project-rules.ts'
import { redactSample } from '../../redaction/redact.ts'
import { requireManager } from '../require-manager.ts'

const MAX_SAMPLE_CHARACTERS = 64 * 1024

type Input = { project: string; text: string; redaction?: unknown }
export type RedactionPreview = {
  text: string
  redactions: Record<string, number>
  /** What each rule has replaced in this project so far, most first. */
  counters: { rule: string; redactions: number }[]
}

/** What a sample would become, with the project's rules or with ones that are not saved yet. Nothing is stored. */
export function previewRedaction(control: Control) {
  return async (caller: Caller, { project, text, redaction }: Input): Promise<RedactionPreview> => {
    const found = await requireManager(control, caller, { project, least: 'member' })
    if (text.length > MAX_SAMPLE_CHARACTERS) {
      throw new AppError(
        'invalid_request',
        `A sample has at most ${MAX_SAMPLE_CHARACTERS} characters: try a part of it.`,
      )
    }
    const settings = redaction === undefined ? redactionOf(found.redaction) : checkedRedaction(redaction)
    return { ...redactSample(settings, text), counters: await control.usage.redactions(found.id) }
  }
}
