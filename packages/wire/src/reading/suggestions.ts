/** Names and ids that complete what somebody has begun to type. */
import { z } from 'zod'

const SUGGESTED_KINDS = ['log', 'analysis', 'deploy', 'environment', 'service'] as const

/** Ids come newest first, names with the most records first. `more` when there are others that begin so. */
const suggestionsAnswer = z.object({ values: z.array(z.string()), more: z.boolean() })

export type SuggestedKind = (typeof SUGGESTED_KINDS)[number]
export type SuggestionsInput = { kind: SuggestedKind; prefix: string; limit: number }
export type SuggestionsAnswer = z.infer<typeof suggestionsAnswer>
