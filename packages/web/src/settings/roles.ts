import { ROLE_WORDS } from '../marks/role-words.ts'

export const ROLES = (['viewer', 'member', 'owner'] as const).map((value) => ({ value, label: ROLE_WORDS[value] }))
