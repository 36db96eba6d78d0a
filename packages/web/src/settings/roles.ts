export const ROLES = [
  { value: 'viewer', label: 'viewer' },
  { value: 'member', label: 'member' },
  { value: 'owner', label: 'owner' },
] as const
