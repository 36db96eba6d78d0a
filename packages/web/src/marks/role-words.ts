import type { ProjectRole } from '@tidemark/wire/project'

/** Where a role stands alone; inside a sentence it is written small. */
export const ROLE_WORDS: Record<ProjectRole, string> = { viewer: 'Viewer', member: 'Member', owner: 'Owner' }
