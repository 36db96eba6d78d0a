/** How long a key lives, as it is chosen from. */
import { GRANT_LIFETIMES, type GrantLifetime } from '@tidemark/wire/people/oauth-lifetime'

const WORDS: Record<GrantLifetime, string> = { '30d': 'In 30 days', '90d': 'In 90 days', '1y': 'In a year' }

export const KEY_LIFETIMES = GRANT_LIFETIMES.map((value) => ({ value, label: WORDS[value] }))
