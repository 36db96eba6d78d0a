/** Least first. A viewer reads; a member also sees and makes keys; an owner also changes settings and members. */
export const PROJECT_ROLES = ['viewer', 'member', 'owner'] as const

export type ProjectRole = (typeof PROJECT_ROLES)[number]

/** Who sees, makes and revokes keys, and may give one to an OAuth client. */
export const KEY_MAKER_ROLE = 'member' satisfies ProjectRole

/** Every role may do what lower ones may. */
export function isAtLeast(role: ProjectRole, least: ProjectRole): boolean {
  return PROJECT_ROLES.indexOf(role) >= PROJECT_ROLES.indexOf(least)
}

/** An owner of the instance is owner in every project. */
export const INSTANCE_ROLES = ['owner', 'member'] as const

export type InstanceRole = (typeof INSTANCE_ROLES)[number]

export function isInstanceOwner({ role }: { role: string }): boolean {
  return role === ('owner' satisfies InstanceRole)
}
