/** Least first. A viewer reads; a member also sees and makes keys; an owner also changes settings and members. */
export const PROJECT_ROLES = ['viewer', 'member', 'owner'] as const

export type ProjectRole = (typeof PROJECT_ROLES)[number]
